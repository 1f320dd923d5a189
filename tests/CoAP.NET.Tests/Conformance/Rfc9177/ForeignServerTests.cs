using CoAP.TestSupport;

namespace CoAP.Tests.Conformance.Rfc9177;

/// <summary>Our client and answers as foreign servers send them: node-coap ignores unknown critical options, libcoap omits ETag from single blocks.</summary>
public sealed class ForeignServerTests : RobustClientUnderTest
{
    private const string Probe = "GET /.well-known/core (Token A) {31: 0x}";
    private const string Bytes = "'0123456789abcdef'";

    private static string Block(string message, int number, int count) =>
        $"{message} 2.05 Content (Token T{number}) {{ETag: 0x01, 28: 0x{count * 16:x2}, 31: 0x{(number * 16) + (number == count - 1 ? 0 : 8):x2}}} {Bytes}";

    [Theory]
    [InlineData("2.05 Content (Token A) 'x'")]
    [InlineData("4.02 Bad Option (Token A) {31: 0x}")]
    [InlineData("2.05 Content (Token A) {Block2: 0/1/16} '0123456789abcdef'")]
    [InlineData("4.04 Not Found (Token A)")]
    [InlineData("4.05 Method Not Allowed (Token A)")]
    [Trait("RFC", "9177 4.1")]
    public void A_peer_whose_answer_has_no_Q_Block2_gets_blocks_of_RFC_7959(string answer)
    {
        var call = Put();

        Server.Expect($"CON [a] {Probe}");
        Server.Send($"ACK [a] {answer}");
        Server.Expect($"CON [p] PUT /a (Token P) {{Block1: 0/1/16, Size1: 18}} {Bytes}");
        Server.Send("ACK [p] 2.31 Continue (Token P) {Block1: 0/1/16}");
        Server.Expect("CON [q] PUT /a (Token Q) {Block1: 1/0/16} 'gh'");
        Server.Send("ACK [q] 2.04 Changed (Token Q) {Block1: 1/0/16}");

        Server.ExpectNothing(seconds: 1);
        call.Answer().Code.Should().Be(ResponseCode.Changed);
    }

    [Fact]
    [Trait("RFC", "9177 4.1")]
    public void An_answer_without_Q_Block2_to_a_GET_is_complete_and_shows_nothing()
    {
        var call = Client.Get("/a");
        Server.Expect("CON [a] GET /a (Token A) {31: 0x}");
        Server.Send("ACK [a] 2.05 Content (Token A) 'abc'");
        Server.ExpectNothing(seconds: 1);
        call.Answer().PayloadText.Should().Be("abc");

        _ = Put();
        Server.Expect("CON [b] GET /.well-known/core (Token B) {31: 0x}");
    }

    // libcoap without Q-Block copies the option that it does not know into its 4.02.
    [Fact]
    [Trait("RFC", "9177 4.1")]
    public void A_4_02_that_repeats_the_option_shows_no_support()
    {
        var call = Client.Get("/a");

        Server.Expect("CON [a] GET /a (Token A) {31: 0x}");
        Server.Send("ACK [a] 4.02 Bad Option (Token A) {31: 0x}");
        Server.Expect("CON [b] GET /a (Token B)");
        Server.Send("ACK [b] 2.05 Content (Token B) 'abc'");

        Server.ExpectNothing(seconds: 1);
        call.Answer().PayloadText.Should().Be("abc");
    }

    [Fact]
    [Trait("RFC", "9177 4.4")]
    public void A_body_in_one_block_needs_neither_ETag_nor_Size2()
    {
        var call = Client.Get("/a");

        Server.Expect("CON [a] GET /a (Token A) {31: 0x}");
        Server.Send("ACK [a] 2.05 Content (Token A) {31: 0x} 'abc'");

        Server.ExpectNothing(seconds: 1);
        call.Answer().PayloadText.Should().Be("abc");
        call.Answer().Options.Should().BeEmpty();
        Client.Lane.Exchanges.Count.Should().Be(0);
    }

    // libcoap answers a request for one block with neither ETag nor Size2, so that block cannot be part of a body.
    [Fact]
    [Trait("RFC", "9177 4.4")]
    public void A_first_block_without_ETag_shows_the_support_and_the_body_is_requested()
    {
        var call = Client.Get("/a");

        Server.Expect("CON [a] GET /a (Token A) {31: 0x}");
        Server.Send($"ACK [a] 2.05 Content (Token A) {{31: 0x08}} {Bytes}");
        Server.Expect("NON [b] GET /a (Token T0) {31: 0x08}");
        Server.Send(Block("NON [0x01]", 0, 2));
        Server.Send(Block("NON [0x02]", 1, 2).Replace("T1", "T0", StringComparison.Ordinal));

        Server.ExpectNothing(seconds: 1);
        call.Answer().PayloadText.Should().Be("0123456789abcdef0123456789abcdef");
    }

    [Fact]
    [Trait("RFC", "9177 4.4")]
    public void A_missing_block_without_ETag_belongs_to_the_body_that_its_token_asked_for()
    {
        var call = Client.Get("/a");

        Server.Expect("CON [a] GET /a (Token T0) {31: 0x}");
        Server.Send(Block("ACK [a]", 0, 3));
        Server.Expect("NON [b] GET /a (Token T1) {31: 0x18}");
        Server.Send(Block("NON [0x01]", 1, 3));
        Server.Expect("NON [c] GET /a (Token T2) {31: 0x20}");
        Server.Send($"NON [0x02] 2.05 Content (Token T2) {{31: 0x20}} {Bytes}");

        Server.ExpectNothing(seconds: 1);
        call.Answer().Payload.Length.Should().Be(48);
    }

    // libcoap gives the blocks after a Continue the token of the request that began the body, which here is the probe.
    [Fact]
    [Trait("RFC", "9177 6")]
    public void Blocks_after_a_Continue_may_have_the_token_of_the_probe()
    {
        var call = Client.Get("/a");

        Server.Expect("CON [a] GET /a (Token T0) {31: 0x}");
        Server.Send(Block("ACK [a]", 0, 12));
        Server.Expect("NON [b] GET /a (Token T1) {31: 0x18}");
        for (var number = 1; number < 10; number++) { Server.Send(Block($"NON [0x{number:x2}]", number, 12).Replace($"T{number}", "T1", StringComparison.Ordinal)); }
        Server.Expect("NON [c] GET /a (Token T2) {31: 0xa8}");
        for (var number = 10; number < 12; number++) { Server.Send(Block($"NON [0x{number:x2}]", number, 12).Replace($"T{number}", "T0", StringComparison.Ordinal)); }

        Server.ExpectNothing(seconds: 1);
        call.Answer().Payload.Length.Should().Be(192);
    }

    [Fact]
    [Trait("RFC", "9177 4.6")]
    public void Blocks_of_a_body_without_ETag_break_the_transfer_off()
    {
        var call = Client.Get("/a");

        Server.Expect("CON [a] GET /a (Token A) {31: 0x}");
        Server.Send($"ACK [a] 2.05 Content (Token A) {{31: 0x08}} {Bytes}");
        Server.Expect("NON [b] GET /a (Token B) {31: 0x08}");
        Server.Send($"NON [0x01] 2.05 Content (Token B) {{31: 0x08}} {Bytes}");

        Server.ExpectNothing(seconds: 1);
        call.Exception!.InnerException.Should().BeOfType<CoapTransferException>();
        Client.Lane.Exchanges.Count.Should().Be(0);
    }
}
