using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>The flows of RFC 7959, section 3.1: responses in blocks, with our client in them.</summary>
public sealed class ClientSection3_1Tests : ClientBlocksUnderTest
{
    public ClientSection3_1Tests()
        : base(new ClientTransferSettings { BlockSize = 128 })
    {
    }

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
        var call = Client.Get("/status");

        Server.Expect("CON [A] GET /status (Token T)");
        Server.Send($"ACK [A] 2.05 Content (Token T) {{Block2: 0/1/128}} '{Part(300, 0, 128)}'");
        Server.Expect("CON [B] GET /status (Token U) {Block2: 1/0/128}");
        Server.Send($"ACK [B] 2.05 Content (Token U) {{Block2: 1/1/128}} '{Part(300, 1, 128)}'");
        Server.Expect("CON [C] GET /status (Token V) {Block2: 2/0/128}");
        Server.Send($"ACK [C] 2.05 Content (Token V) {{Block2: 2/0/128}} '{Part(300, 2, 128)}'");

        ExpectNothingLeft();
        call.Answer().PayloadText.Should().Be(Text(300));
        call.Answer().Options.IsEmpty.Should().BeTrue("the options of the whole response say nothing of blocks");
    }

    // CLIENT                                                     SERVER
    //   | CON [MID=1234], GET, /status, 2:0/0/64           ------> |
    //   | <------   ACK [MID=1234], 2.05 Content, 2:0/1/64         |
    //   | CON [MID=1235], GET, /status, 2:1/0/64           ------> |
    //   | <------   ACK [MID=1235], 2.05 Content, 2:1/1/64         |
    //   :                          ...                             :
    //   | CON [MID=1238], GET, /status, 2:4/0/64           ------> |
    //   | <------   ACK [MID=1238], 2.05 Content, 2:4/1/64         |
    //   | CON [MID=1239], GET, /status, 2:5/0/64           ------> |
    //   | <------   ACK [MID=1239], 2.05 Content, 2:5/0/64         |
    [Fact, Trait("RFC", "7959 3.1"), Trait("RFC", "7959 2.4")]
    public void Figure_3_Block_wise_GET_with_early_negotiation()
    {
        var call = Client.Send(new CoapRequest(RequestCode.Get, "/status") { PreferredBlockSize = 64 });

        for (var number = 0; number < 6; number++) { Exchange(number, 340, 64); }

        ExpectNothingLeft();
        call.Answer().PayloadText.Should().Be(Text(340));
    }

    // CLIENT                                                     SERVER
    //   | CON [A], GET, /status, 2:0/0/128                 ------> |
    //   | <------   ACK [A], 2.05 Content, 2:0/1/64                |
    //   | CON [B], GET, /status, 2:1/0/64                  ------> |
    //   | <------   ACK [B], 2.05 Content, 2:1/1/64                |
    //   | CON [C], GET, /status, 2:2/0/64                  ------> |
    //   | <------   ACK [C], 2.05 Content, 2:2/0/64                |
    [Fact, Trait("RFC", "7959 2.4")]
    public void After_a_smaller_first_block_further_requests_have_its_size_and_not_the_one_that_was_asked_for()
    {
        var call = Client.Send(new CoapRequest(RequestCode.Get, "/status") { PreferredBlockSize = 128 });

        Server.Expect("CON [A] GET /status (Token T) {Block2: 0/0/128}");
        Server.Send($"ACK [A] 2.05 Content (Token T) {{Block2: 0/1/64}} '{Part(180, 0, 64)}'");
        for (var number = 1; number < 3; number++) { Exchange(number, 180, 64); }

        ExpectNothingLeft();
        call.Answer().PayloadText.Should().Be(Text(180));
    }

    // CLIENT                                                     SERVER
    //   | CON [MID=1234], GET, /status                     ------> |
    //   | <------   ACK [MID=1234], 2.05 Content, 2:0/1/128        |
    //   | CON [MID=1235], GET, /status, 2:2/0/64           ------> |
    //   | <------   ACK [MID=1235], 2.05 Content, 2:2/1/64         |
    //   :                          ...                             :
    //   | CON [MID=1238], GET, /status, 2:5/0/64           ------> |
    //   | <------   ACK [MID=1238], 2.05 Content, 2:5/0/64         |
    [Fact, Trait("RFC", "7959 3.1"), Trait("RFC", "7959 2.4")]
    public void Figure_4_Block_wise_GET_with_late_negotiation()
    {
        using var client = LaneEnd.Client(Wire, new CoapClientSettings { ClientTransfers = new() { BlockSize = 64 } }, "late");
        var call = client.Get("/status");

        Server.Expect("CON [A] GET /status (Token T)");
        Server.Send($"ACK [A] 2.05 Content (Token T) {{Block2: 0/1/128}} '{Part(340, 0, 128)}'");
        for (var number = 2; number < 6; number++) { Exchange(number, 340, 64); }

        Server.ExpectNothing(seconds: 600);
        call.Answer().PayloadText.Should().Be(Text(340));
    }

    // CLIENT                                                     SERVER
    //   | CON [MID=1234], GET, /status                     ------> |
    //   | <------   ACK [MID=1234], 2.05 Content, 2:0/1/128        |
    //   | CON [MID=1235], GE/////////////////////////              |
    //   | (timeout)                                                |
    //   | CON [MID=1235], GET, /status, 2:2/0/64           ------> |
    //   | <------   ACK [MID=1235], 2.05 Content, 2:2/1/64         |
    //   :                          ...                             :
    [Fact, Trait("RFC", "7959 3.1")]
    public void Figure_5_Block_wise_GET_with_a_lost_CON()
    {
        Wire.Drop(Direction.ToServer, nth: 2);
        var call = Client.Get("/status");

        Server.Expect("CON [A] GET /status (Token T)", at: 0);
        Server.Send($"ACK [A] 2.05 Content (Token T) {{Block2: 0/1/128}} '{Part(200, 0, 128)}'");
        Server.Expect("CON [B] GET /status (Token U) {Block2: 1/0/128}", at: 2);
        Server.Send($"ACK [B] 2.05 Content (Token U) {{Block2: 1/0/128}} '{Part(200, 1, 128)}'");

        ExpectNothingLeft();
        call.Answer().PayloadText.Should().Be(Text(200));
    }

    // CLIENT                                                     SERVER
    //   | CON [MID=1235], GET, /status, 2:2/0/64           ------> |
    //   | //////////////////////////////////tent, 2:2/1/64         |
    //   | (timeout)                                                |
    //   | CON [MID=1235], GET, /status, 2:2/0/64           ------> |
    //   | <------   ACK [MID=1235], 2.05 Content, 2:2/1/64         |
    [Fact, Trait("RFC", "7959 3.1")]
    public void Figure_6_Block_wise_GET_with_a_lost_ACK()
    {
        Wire.Drop(Direction.ToClient, nth: 2);
        var call = Client.Get("/status");

        Server.Expect("CON [A] GET /status (Token T)");
        Server.Send($"ACK [A] 2.05 Content (Token T) {{Block2: 0/1/128}} '{Part(200, 0, 128)}'");
        Server.Expect("CON [B] GET /status (Token U) {Block2: 1/0/128}", at: 0);
        Server.Send($"ACK [B] 2.05 Content (Token U) {{Block2: 1/0/128}} '{Part(200, 1, 128)}'");
        Server.Expect("CON [B] GET /status (Token U) {Block2: 1/0/128}", at: 2);
        Server.Send($"ACK [B] 2.05 Content (Token U) {{Block2: 1/0/128}} '{Part(200, 1, 128)}'");

        ExpectNothingLeft();
        call.Answer().PayloadText.Should().Be(Text(200));
    }

    private void Exchange(int number, int length, int size)
    {
        var more = (number + 1) * size < length ? 1 : 0;
        Server.Expect($"CON [M{number}] GET /status (Token T{number}) {{Block2: {number}/0/{size}}}");
        Server.Send($"ACK [M{number}] 2.05 Content (Token T{number}) {{Block2: {number}/{more}/{size}}} '{Part(length, number, size)}'");
    }
}
