using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>The flows of RFC 7959, section 3.1: responses in blocks, with our server in them. Size2 and ETag are said though the figures leave them out.</summary>
public sealed class Rfc7959Section3_1ServerTests : BlockServerUnderTest
{
    // CLIENT                                                     SERVER
    //   | CON [MID=1234], GET, /status                       ------> |
    //   | <------   ACK [MID=1234], 2.05 Content, 2:0/1/128          |
    //   | CON [MID=1235], GET, /status, 2:1/0/128            ------> |
    //   | <------   ACK [MID=1235], 2.05 Content, 2:1/1/128          |
    //   | CON [MID=1236], GET, /status, 2:2/0/128            ------> |
    //   | <------   ACK [MID=1236], 2.05 Content, 2:2/0/128          |
    [Fact, Trait("RFC", "7959 3.1"), Trait("RFC", "7959 2.4")]
    public void Figure_2_Simple_block_wise_GET()
    {
        Client.Send("CON [0x1234] GET /status");
        Client.Expect($"ACK [0x1234] 2.05 Content {{ETag: 0x01, Block2: 0/1/128, Size2: 340}} '{Part(340, 0, 128)}'");
        Client.Send("CON [0x1235] GET /status {Block2: 1/0/128}");
        Client.Expect($"ACK [0x1235] 2.05 Content {{ETag: 0x01, Block2: 1/1/128}} '{Part(340, 1, 128)}'");
        Client.Send("CON [0x1236] GET /status {Block2: 2/0/128}");
        Client.Expect($"ACK [0x1236] 2.05 Content {{ETag: 0x01, Block2: 2/0/128}} '{Part(340, 2, 128)}'");

        Client.ExpectNothing(seconds: 600);
        Reads.Should().Be(1, "the other blocks are of the body that was kept");
    }

    // CLIENT                                                     SERVER
    //   | CON [MID=1234], GET, /status, 2:0/0/64           ------> |
    //   | <------   ACK [MID=1234], 2.05 Content, 2:0/1/64         |
    //   | CON [MID=1235], GET, /status, 2:1/0/64           ------> |
    //   | <------   ACK [MID=1235], 2.05 Content, 2:1/1/64         |
    //   :                          ...                             :
    //   | CON [MID=1239], GET, /status, 2:5/0/64           ------> |
    //   | <------   ACK [MID=1239], 2.05 Content, 2:5/0/64         |
    [Fact, Trait("RFC", "7959 3.1"), Trait("RFC", "7959 2.4")]
    public void Figure_3_Block_wise_GET_with_early_negotiation()
    {
        Client.Send("CON [0x1234] GET /status {Block2: 0/0/64}");
        Client.Expect($"ACK [0x1234] 2.05 Content {{ETag: 0x01, Block2: 0/1/64, Size2: 340}} '{Part(340, 0, 64)}'");
        for (var number = 1; number <= 5; number++) { FetchSmall(number); }

        Reads.Should().Be(1);
    }

    // CLIENT                                                     SERVER
    //   | CON [MID=1234], GET, /status                     ------> |
    //   | <------   ACK [MID=1234], 2.05 Content, 2:0/1/128        |
    //   | CON [MID=1235], GET, /status, 2:2/0/64           ------> |
    //   | <------   ACK [MID=1235], 2.05 Content, 2:2/1/64         |
    //   | CON [MID=1236], GET, /status, 2:3/0/64           ------> |
    //   | <------   ACK [MID=1236], 2.05 Content, 2:3/1/64         |
    //   | CON [MID=1237], GET, /status, 2:4/0/64           ------> |
    //   | <------   ACK [MID=1237], 2.05 Content, 2:4/1/64         |
    //   | CON [MID=1238], GET, /status, 2:5/0/64           ------> |
    //   | <------   ACK [MID=1238], 2.05 Content, 2:5/0/64         |
    [Fact, Trait("RFC", "7959 3.1"), Trait("RFC", "7959 2.4")]
    public void Figure_4_Block_wise_GET_with_late_negotiation()
    {
        FetchFirst();
        for (var number = 2; number <= 5; number++) { FetchSmall(number); }

        Client.ExpectNothing(seconds: 600);
        Reads.Should().Be(1);
    }

    //   | CON [MID=1235], GE/////////////////////////              |
    //   | (timeout)                                                |
    //   | CON [MID=1235], GET, /status, 2:2/0/64           ------> |
    //   | <------   ACK [MID=1235], 2.05 Content, 2:2/1/64         |
    [Fact, Trait("RFC", "7959 3.1")]
    public void Figure_5_Late_negotiation_and_lost_CON()
    {
        Wire.Drop(Direction.ToServer, nth: 2);
        FetchFirst();
        Client.Send("CON [0x1235] GET /status {Block2: 2/0/64}");
        Client.ExpectNothing(seconds: 2);
        for (var number = 2; number <= 5; number++) { FetchSmall(number); }

        Reads.Should().Be(1);
    }

    //   | CON [MID=1235], GET, /status, 2:2/0/64           ------> |
    //   | //////////////////////////////////tent, 2:2/1/64         |
    //   | (timeout)                                                |
    //   | CON [MID=1235], GET, /status, 2:2/0/64           ------> |
    //   | <------   ACK [MID=1235], 2.05 Content, 2:2/1/64         |
    [Fact, Trait("RFC", "7959 3.1")]
    public void Figure_6_Late_negotiation_and_lost_ACK()
    {
        Wire.Drop(Direction.ToClient, nth: 2);
        FetchFirst();
        Client.Send("CON [0x1236] GET /status {Block2: 2/0/64}");
        Client.ExpectNothing(seconds: 2);
        for (var number = 2; number <= 5; number++) { FetchSmall(number); }

        Reads.Should().Be(1);
    }

    private void FetchFirst()
    {
        Client.Send("CON [0x1234] GET /status");
        Client.Expect($"ACK [0x1234] 2.05 Content {{ETag: 0x01, Block2: 0/1/128, Size2: 340}} '{Part(340, 0, 128)}'");
    }

    private void FetchSmall(int number)
    {
        Client.Send($"CON [0x{0x1234 + number:x4}] GET /status {{Block2: {number}/0/64}}");
        Client.Expect($"ACK [0x{0x1234 + number:x4}] 2.05 Content {{ETag: 0x01, Block2: {number}/{(number == 5 ? 0 : 1)}/64}} '{Part(340, number, 64)}'");
    }
}
