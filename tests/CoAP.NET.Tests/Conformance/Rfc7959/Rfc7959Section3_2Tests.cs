namespace CoAP.Tests.Conformance;

/// <summary>The flows of RFC 7959, section 3.2: requests in blocks, with our server in them. Figure 8 is a stateless server, which ours is not.</summary>
public sealed class Rfc7959Section3_2ServerTests : BlockServerUnderTest
{
    // CLIENT                                                     SERVER
    //   | CON [MID=1234], PUT, /options, 1:0/1/128    ------>      |
    //   | <------   ACK [MID=1234], 2.31 Continue, 1:0/1/128       |
    //   | CON [MID=1235], PUT, /options, 1:1/1/128    ------>      |
    //   | <------   ACK [MID=1235], 2.31 Continue, 1:1/1/128       |
    //   | CON [MID=1236], PUT, /options, 1:2/0/128    ------>      |
    //   | <------   ACK [MID=1236], 2.04 Changed, 1:2/0/128        |
    [Fact, Trait("RFC", "7959 3.2"), Trait("RFC", "7959 2.5"), Trait("RFC", "7959 2.9.1")]
    public void Figure_7_Simple_atomic_block_wise_PUT()
    {
        Client.Send($"CON [0x1234] PUT /options {{Block1: 0/1/128}} '{Part(300, 0, 128)}'");
        Client.Expect("ACK [0x1234] 2.31 Continue {Block1: 0/1/128}");
        Client.Send($"CON [0x1235] PUT /options {{Block1: 1/1/128}} '{Part(300, 1, 128)}'");
        Client.Expect("ACK [0x1235] 2.31 Continue {Block1: 1/1/128}");
        Bodies.Should().BeEmpty("the body is not whole");
        Client.Send($"CON [0x1236] PUT /options {{Block1: 2/0/128}} '{Part(300, 2, 128)}'");
        Client.Expect("ACK [0x1236] 2.04 Changed {Block1: 2/0/128}");

        Client.ExpectNothing(seconds: 600);
        Bodies.Should().Equal(Text(300));
    }

    // CLIENT                                                     SERVER
    //   | CON [MID=1234], PUT, /options, 1:0/1/128    ------>      |
    //   | <------   ACK [MID=1234], 2.31 Continue, 1:0/1/32        |
    //   | CON [MID=1235], PUT, /options, 1:4/1/32     ------>      |
    //   | <------   ACK [MID=1235], 2.31 Continue, 1:4/1/32        |
    //   | CON [MID=1236], PUT, /options, 1:5/1/32     ------>      |
    //   | <------   ACK [MID=1235], 2.31 Continue, 1:5/1/32        |
    //   | CON [MID=1237], PUT, /options, 1:6/0/32     ------>      |
    //   | <------   ACK [MID=1236], 2.04 Changed, 1:6/0/32         |
    // (The last two acknowledgements have the message IDs of their requests; the figure's are an error of the RFC.)
    [Fact, Trait("RFC", "7959 3.2"), Trait("RFC", "7959 2.3")]
    public void Figure_9_Simple_atomic_block_wise_PUT_with_negotiation()
    {
        using var server = new SmallBlocks();

        server.Put(0x1234, "0/1/128", Part(200, 0, 128), "2.31 Continue {Block1: 0/1/32}");
        server.Put(0x1235, "4/1/32", Part(200, 4, 32), "2.31 Continue {Block1: 4/1/32}");
        server.Put(0x1236, "5/1/32", Part(200, 5, 32), "2.31 Continue {Block1: 5/1/32}");
        server.Put(0x1237, "6/0/32", Part(200, 6, 32), "2.04 Changed {Block1: 6/0/32}");

        server.Received.Should().Equal(Text(200));
    }

    private sealed class SmallBlocks() : BlockServerUnderTest(new ServerTransferSettings { PreferredBlockSize = 32 })
    {
        public IReadOnlyList<string> Received => Bodies;

        public void Put(int id, string block, string payload, string answer)
        {
            Client.Send($"CON [0x{id:x4}] PUT /options {{Block1: {block}}} '{payload}'");
            Client.Expect($"ACK [0x{id:x4}] {answer}");
        }
    }
}
