using CoAP.Options;

namespace CoAP.Messages;

public class CoapMessageTests
{
    [Fact]
    public void Describes_itself_on_one_line()
    {
        var message = new CoapMessage
        {
            Type = MessageType.NonConfirmable,
            Code = RequestCode.Get,
            MessageId = new(4711),
            Token = new([0xAB, 0xCD]),
            Options = [new UriPath("a"), new ETag(new byte[] { 1, 0xFF }), new ContentFormat(50), new Block1(2, true, 6), new UnknownOption(999, new byte[] { 10 })],
            Payload = new byte[3],
        };

        message.ToString().Should().Be(
            "NonConfirmable 0.01 ID 4711 token [ABCD] options [ETag: 01ff, UriPath: a, ContentFormat: 50, Block1: 2/1/1024, UnknownOption: 999 0a] payload 3 bytes");
    }
}
