using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>All blocks of a request have one token, for servers that put them together by it.</summary>
public sealed class ClientKeptTokenTests : ClientBlocksUnderTest
{
    public ClientKeptTokenTests()
        : base(new ClientTransferSettings { BlockSize = 128, KeepsToken = true })
    {
    }

    [Fact, Trait("RFC", "7959 2.5")]
    public void The_blocks_of_a_request_have_the_token_of_the_first()
    {
        var call = Put(300);

        Server.Expect($"CON [A] PUT /options (Token T) {{Block1: 0/1/128, Size1: 300}} '{Part(300, 0, 128)}'");
        Server.Send("ACK [A] 2.31 Continue (Token T) {Block1: 0/1/128}");
        Server.Expect($"CON [B] PUT /options (Token T) {{Block1: 1/1/128}} '{Part(300, 1, 128)}'");
        Server.Send("ACK [B] 2.31 Continue (Token T) {Block1: 1/1/128}");
        Server.Expect($"CON [C] PUT /options (Token T) {{Block1: 2/0/128}} '{Part(300, 2, 128)}'");
        Server.Send("ACK [C] 2.04 Changed (Token T) {Block1: 2/0/128}");

        ExpectNothingLeft();
        call.Answer().Code.Should().Be(ResponseCode.Changed);
    }

    // The first response came twice: as an acknowledgement, and in a message of its own that was under way for longer.
    [Fact, Trait("RFC", "7959 2.5")]
    public void A_late_response_to_another_block_ends_the_call()
    {
        var call = Put(300);

        Server.Expect($"CON [A] PUT /options (Token T) {{Block1: 0/1/128, Size1: 300}} '{Part(300, 0, 128)}'");
        Server.Send("ACK [A] 2.31 Continue (Token T) {Block1: 0/1/128}");
        Server.Expect($"CON [B] PUT /options (Token T) {{Block1: 1/1/128}} '{Part(300, 1, 128)}'");
        Server.Send("NON [0x4711] 2.31 Continue (Token T) {Block1: 0/1/128}");

        Server.ExpectNothing(seconds: 1);
        var failing = () => call.Answer();
        failing.Should().Throw<CoapTransferException>();
    }
}
