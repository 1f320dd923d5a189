using CoAP.TestSupport;

namespace CoAP.Tests.Conformance.Rfc9177;

/// <summary>Our client finds out whether a scripted peer knows Q-Block: by a confirmable request for block 0 (RFC 9177, section 4.1).</summary>
public sealed class RobustNegotiationTests : RobustClientUnderTest
{
    private void ExpectPlainBlocks()
    {
        Server.Expect("CON [p] PUT /a (Token P) {Block1: 0/1/16, Size1: 18} '0123456789abcdef'");
        Server.Send("ACK [p] 4.04 Not Found (Token P)");
    }

    [Fact]
    [Trait("RFC", "9177 4.1")]
    public void After_4_02_the_body_goes_in_blocks_of_RFC_7959()
    {
        var call = Put();

        Server.Expect("CON [a] GET /.well-known/core (Token A) {31: 0x}");
        Server.Send("ACK [a] 4.02 Bad Option (Token A)");
        ExpectPlainBlocks();

        Server.ExpectNothing(seconds: 1);
        call.Answer().Code.Should().Be(ResponseCode.NotFound);
    }

    [Fact]
    [Trait("RFC", "9177 4.1")]
    public void After_a_Reset_the_body_goes_in_blocks_of_RFC_7959()
    {
        var call = Put();

        Server.Expect("CON [a] GET /.well-known/core (Token A) {31: 0x}");
        Server.Send("RST [a]");
        ExpectPlainBlocks();

        Server.ExpectNothing(seconds: 1);
        call.Answer().Code.Should().Be(ResponseCode.NotFound);
    }

    [Fact]
    public void After_no_answer_the_body_goes_in_blocks_of_RFC_7959()
    {
        var call = Put();

        for (var attempt = 0; attempt < 5; attempt++) { Server.Expect("CON [a] GET /.well-known/core (Token A) {31: 0x}"); }
        ExpectPlainBlocks();

        Server.ExpectNothing(seconds: 1);
        call.Answer().Code.Should().Be(ResponseCode.NotFound);
    }

    [Fact]
    [Trait("RFC", "9177 4.1")]
    public void A_peer_that_answers_in_blocks_of_RFC_7959_goes_on_with_them()
    {
        var call = Client.Get("/a");

        Server.Expect("CON [a] GET /a (Token A) {31: 0x}");
        Server.Send("ACK [a] 2.05 Content (Token A) {Block2: 0/1/16} '0123456789abcdef'");
        Server.Expect("CON [b] GET /a (Token B) {Block2: 1/0/16}");
        Server.Send("ACK [b] 2.05 Content (Token B) {Block2: 1/0/16} 'gh'");

        Server.ExpectNothing(seconds: 1);
        call.Answer().PayloadText.Should().Be("0123456789abcdefgh");
    }

    [Fact]
    public void A_block_of_RFC_9177_that_nobody_asked_for_is_no_whole_response()
    {
        var call = Client.Send(new CoapRequest(RequestCode.Get, "/a") { RobustMode = RobustMode.Off });

        Server.Expect("CON [a] GET /a (Token A)");
        Server.Send("ACK [a] 2.05 Content (Token A) {ETag: 0x01, 28: 0x20, 31: 0x08} '0123456789abcdef'");

        Server.ExpectNothing(seconds: 1);
        call.Exception!.InnerException.Should().BeOfType<CoapTransferException>();
    }
}
