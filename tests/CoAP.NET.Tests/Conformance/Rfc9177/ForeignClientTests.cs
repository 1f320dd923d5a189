namespace CoAP.Tests.Conformance.Rfc9177;

/// <summary>Requests as libcoap's client sends them to our server. The body is 40 bytes: blocks 0 and 1 of 16 bytes and block 2 of 8.</summary>
/// <remarks>libcoap requests the next blocks itself only if it receives non-confirmable ones. After a confirmable request it waits for all blocks.</remarks>
public sealed class ForeignClientTests : IDisposable
{
    private const string All = "CON [0x01] GET /large (Token 0xc0) {31: 0x08}";
    private const string Nothing = "0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines";

    private RobustServerUnderTest _cut = new(isSmall: false);

    public void Dispose() => _cut.Dispose();

    private static string Block(string type, string id, int number) =>
        $"{type} [{id}] 2.05 Content (Token 0xc0) {{ETag: 0x13, Content-Format: 0, 28: 0x28, 31: 0x{(number == 0 ? "" : number)}{(number == 2 ? "0" : number == 0 ? "08" : "8")}}} "
        + number switch { 0 => "'The first block.'", 1 => "'The second block'", _ => "'.The end'" };

    // The probe is CON GET /.well-known/core with an empty Q-Block2, and only an answer with Q-Block2 shows the support.
    [Fact]
    [Trait("RFC", "9177 4.1")]
    public void A_probe_gets_a_block_of_the_size_that_it_asks_for()
    {
        _cut.Client.Send("CON [0x01] GET /large (Token 0xc0) {31: 0x}");

        _cut.Client.Expect(Block("ACK", "0x01", 0));
        _cut.Client.ExpectNothing(seconds: 600);
        _cut.Server.Leftovers.Should().Be(Nothing);
    }

    [Fact]
    [Trait("RFC", "9177 4.1")]
    public void The_probe_of_libcoap_gets_a_Q_Block2_even_if_the_links_fit_into_16_bytes()
    {
        _cut.Client.SendBytes("41 01 12 34 c0 bb 2e77656c6c2d6b6e6f776e 04 636f7265 d0 07");
        _cut.Client.TakeAll(1);

        var answer = WireMessage.Read(_cut.Client.Received.Should().ContainSingle().Which);
        answer.Payload.Should().Equal("</large>,</path>"u8.ToArray());
        answer.Options.Should().Contain(option => option.Number == 31 && option.Value.Length == 0);
    }

    [Fact]
    [Trait("RFC", "9177 4.2")]
    public void A_body_that_fits_into_a_block_says_so()
    {
        _cut.Client.Send("CON [0x01] GET /large (Token 0xc0) {31: 0x0e}");

        _cut.Client.Expect("ACK [0x01] 2.05 Content (Token 0xc0) {ETag: 0x13, Content-Format: 0, 28: 0x28, 31: 0x06} 'The first block.The second block.The end'");
        _cut.Client.ExpectNothing(seconds: 600);
        _cut.Server.Leftovers.Should().Be(Nothing);
    }

    // Client      Server
    //   +--------->| CON GET /large M:0x01 T:0xc0 QB2:0/1/16
    //   |<---------+ ACK 2.05 M:0x01 T:0xc0 ET=0x13 QB2:0/1/16
    //   |<---------+ CON 2.05 M:a    T:0xc0 ET=0x13 QB2:1/1/16
    //   +--------->| ACK M:a
    //   |<---------+ CON 2.05 M:b    T:0xc0 ET=0x13 QB2:2/0/16
    //   +--------->| ACK M:b
    [Fact]
    [Trait("RFC", "9177 4.4")]
    public void A_confirmable_request_for_the_body_gets_the_other_blocks_in_confirmable_responses()
    {
        _cut.Client.Send(All);
        _cut.Client.Expect(Block("ACK", "0x01", 0));
        _cut.Client.Expect(Block("CON", "a", 1));
        _cut.Client.ExpectNothing(seconds: 1);
        _cut.Client.Send("ACK [a]");
        _cut.Client.Expect(Block("CON", "b", 2));
        _cut.Client.Send("ACK [b]");

        _cut.Gets.Should().Be(1);
        _cut.Client.ExpectNothing(seconds: 600);
        _cut.Server.Leftovers.Should().Be(Nothing);
    }

    [Fact]
    [Trait("RFC", "9177 4.4")]
    public void A_confirmable_request_from_a_block_on_gets_the_rest()
    {
        _cut.Client.Send("CON [0x01] GET /large (Token 0xc0) {31: 0x18}");
        _cut.Client.Expect(Block("ACK", "0x01", 1));
        _cut.Client.Expect(Block("CON", "b", 2));
        _cut.Client.Send("ACK [b]");
        _cut.Client.Send("CON [0x02] GET /large (Token 0xc0) {31: 0x00, 31: 0x20}");
        _cut.Client.Expect(Block("ACK", "0x02", 0));
        _cut.Client.Expect(Block("CON", "d", 2));
        _cut.Client.Send("ACK [d]");

        _cut.Gets.Should().Be(1);
        _cut.Client.ExpectNothing(seconds: 600);
    }

    [Fact]
    [Trait("RFC", "9177 7.1")]
    public void A_confirmable_block_is_sent_again_until_it_is_acknowledged()
    {
        _cut.Client.Send(All);
        _cut.Client.Expect(Block("ACK", "0x01", 0));
        _cut.Client.Expect(Block("CON", "a", 1));
        _cut.Client.Expect(Block("CON", "a", 1));
        _cut.Client.Send("ACK [a]");
        _cut.Client.Expect(Block("CON", "b", 2));
        for (var repeat = 0; repeat < 4; repeat++) { _cut.Client.Expect(Block("CON", "b", 2)); }

        _cut.Client.ExpectNothing(seconds: 600);
        _cut.Server.Leftovers.Should().Be(Nothing);
    }

    [Fact]
    [Trait("RFC", "9177 4.4")]
    public void A_Reset_of_a_confirmable_block_ends_the_body()
    {
        _cut.Client.Send(All);
        _cut.Client.Expect(Block("ACK", "0x01", 0));
        _cut.Client.Expect(Block("CON", "a", 1));
        _cut.Client.Send("RST [a]");

        _cut.Client.ExpectNothing(seconds: 1);
        _cut.Server.Leftovers.Should().Be(Nothing);
    }

    [Fact]
    [Trait("RFC", "9175 2.4")]
    public void An_address_that_may_be_forged_has_to_repeat_an_Echo_first()
    {
        _cut.Dispose();
        _cut = new RobustServerUnderTest(new CoapServerSettings { Amplification = new() { ExemptsLoopback = false } });

        _cut.Client.Send(All);

        _cut.Client.TakeAll(1);
        var answer = WireMessage.Read(_cut.Client.Received.Should().ContainSingle().Which);
        answer.Code.Should().Be(0x81);
        answer.Options.Should().Contain(option => option.Number == 252);
        _cut.Gets.Should().Be(0);
    }
}
