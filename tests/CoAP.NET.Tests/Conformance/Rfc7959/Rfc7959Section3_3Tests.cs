namespace CoAP.Tests.Conformance;

/// <summary>The flows of RFC 7959, section 3.3: request and response in blocks, with our server in them.</summary>
public sealed class Rfc7959Section3_3ServerTests : BlockServerUnderTest
{
    // CLIENT                                                     SERVER
    //   | CON [MID=1234], POST, /soap, 1:0/1/128      ------>          |
    //   | <------   ACK [MID=1234], 2.31 Continue, 1:0/1/128           |
    //   | CON [MID=1235], POST, /soap, 1:1/1/128      ------>          |
    //   | <------   ACK [MID=1235], 2.31 Continue, 1:1/1/128           |
    //   | CON [MID=1236], POST, /soap, 1:2/0/128      ------>          |
    //   | <------   ACK [MID=1236], 2.04 Changed, 2:0/1/128, 1:2/0/128 |
    //   | CON [MID=1237], POST, /soap, 2:1/0/128      ------>          |
    //   | (no payload for requests with Block2 with NUM != 0)          |
    //   | <------   ACK [MID=1237], 2.04 Changed, 2:1/1/128            |
    //   | CON [MID=1238], POST, /soap, 2:2/0/128      ------>          |
    //   | <------   ACK [MID=1238], 2.04 Changed, 2:2/1/128            |
    //   | CON [MID=1239], POST, /soap, 2:3/0/128      ------>          |
    //   | <------   ACK [MID=1239], 2.04 Changed, 2:3/0/128            |
    [Fact, Trait("RFC", "7959 3.3"), Trait("RFC", "7959 2.7")]
    public void Figure_10_Atomic_block_wise_POST_with_block_wise_response()
    {
        SendFirstBlocks("/soap?n=400");
        Client.Send($"CON [0x1236] POST /soap?n=400 {{Block1: 2/0/128}} '{Part(300, 2, 128)}'");
        Client.Expect($"ACK [0x1236] 2.04 Changed {{ETag: E, Block2: 0/1/128, Block1: 2/0/128, Size2: 400}} '{Part(400, 0, 128)}'");
        Fetch(0x1237, "1/0/128", "1/1/128", Part(400, 1, 128), "/soap?n=400");
        Fetch(0x1238, "2/0/128", "2/1/128", Part(400, 2, 128), "/soap?n=400");
        Fetch(0x1239, "3/0/128", "3/0/128", Part(400, 3, 128), "/soap?n=400");

        Bodies.Should().Equal([Text(300)], "a POST is carried out once");
    }

    //   | CON [MID=1236], POST, /soap, 1:2/0/128, 2:0/0/64 ------>     |
    //   | <------   ACK [MID=1236], 2.04 Changed, 1:2/0/128, 2:0/1/64  |
    //   | CON [MID=1237], POST, /soap, 2:1/0/64      ------>           |
    //   | (no payload for requests with Block2 with NUM != 0)          |
    //   | <------   ACK [MID=1237], 2.04 Changed, 2:1/1/64             |
    //   | CON [MID=1238], POST, /soap, 2:2/0/64      ------>           |
    //   | <------   ACK [MID=1238], 2.04 Changed, 2:2/1/64             |
    //   | CON [MID=1239], POST, /soap, 2:3/0/64      ------>           |
    //   | <------   ACK [MID=1239], 2.04 Changed, 2:3/0/64             |
    [Fact, Trait("RFC", "7959 3.3"), Trait("RFC", "7959 2.7")]
    public void Figure_11_The_same_with_early_negotiation()
    {
        SendFirstBlocks("/soap?n=250");
        Client.Send($"CON [0x1236] POST /soap?n=250 {{Block2: 0/0/64, Block1: 2/0/128}} '{Part(300, 2, 128)}'");
        Client.Expect($"ACK [0x1236] 2.04 Changed {{ETag: E, Block2: 0/1/64, Block1: 2/0/128, Size2: 250}} '{Part(250, 0, 64)}'");
        Fetch(0x1237, "1/0/64", "1/1/64", Part(250, 1, 64), "/soap?n=250");
        Fetch(0x1238, "2/0/64", "2/1/64", Part(250, 2, 64), "/soap?n=250");
        Fetch(0x1239, "3/0/64", "3/0/64", Part(250, 3, 64), "/soap?n=250");

        Bodies.Should().Equal([Text(300)]);
    }

    private void SendFirstBlocks(string path)
    {
        Client.Send($"CON [0x1234] POST {path} {{Block1: 0/1/128}} '{Part(300, 0, 128)}'");
        Client.Expect("ACK [0x1234] 2.31 Continue {Block1: 0/1/128}");
        Client.Send($"CON [0x1235] POST {path} {{Block1: 1/1/128}} '{Part(300, 1, 128)}'");
        Client.Expect("ACK [0x1235] 2.31 Continue {Block1: 1/1/128}");
    }

    private void Fetch(int id, string wanted, string given, string payload, string path)
    {
        Client.Send($"CON [0x{id:x4}] POST {path} {{Block2: {wanted}}}");
        Client.Expect($"ACK [0x{id:x4}] 2.04 Changed {{ETag: E, Block2: {given}}} '{payload}'");
    }
}
