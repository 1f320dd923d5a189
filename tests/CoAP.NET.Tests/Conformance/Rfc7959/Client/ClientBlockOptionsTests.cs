using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>The options of each block that our client sends (RFC 7959, sections 2.3 and 2.10).</summary>
public sealed class ClientBlockOptionsTests : ClientBlocksUnderTest
{
    public ClientBlockOptionsTests()
        : base(new ClientTransferSettings { BlockSize = 128 })
    {
    }

    [Fact, Trait("RFC", "7959 2.3"), Trait("RFC", "7959 2.10")]
    public void Each_block_has_the_Content_Format_and_the_first_one_alone_has_If_None_Match()
    {
        var call = Client.Send(new CoapRequest(RequestCode.Put, "/options") { Payload = Body(300), Options = [new ContentFormat(0), new IfNoneMatch()] });

        Server.Expect($"CON [A] PUT /options (Token T) {{If-None-Match: , Content-Format: 0, Block1: 0/1/128, Size1: 300}} '{Part(300, 0, 128)}'");
        Server.Send("ACK [A] 2.31 Continue (Token T) {Block1: 0/1/128}");
        Server.Expect($"CON [B] PUT /options (Token U) {{Content-Format: 0, Block1: 1/1/128}} '{Part(300, 1, 128)}'");
        Server.Send("ACK [B] 2.31 Continue (Token U) {Block1: 1/1/128}");
        Server.Expect($"CON [C] PUT /options (Token V) {{Content-Format: 0, Block1: 2/0/128}} '{Part(300, 2, 128)}'");
        Server.Send("ACK [C] 2.01 Created (Token V) {Block1: 2/0/128}");

        ExpectNothingLeft();
        call.Answer().Code.Should().Be(ResponseCode.Created);
    }
}
