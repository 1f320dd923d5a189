using CoAP.Options;

namespace CoAP.Benchmarks.Serialization;

/// <summary>The messages that most exchanges consist of.</summary>
internal static class SmallMessages
{
    /// <summary>GET coap://host/sensors/temp with a token of four bytes: 21 bytes.</summary>
    public static CoapMessage Get => new()
    {
        Code = RequestCode.Get,
        MessageId = new(0x7d34),
        Token = new([0x4a, 0x11, 0xc2, 0x07]),
        Options = [new UriPath("sensors"), new UriPath("temp")],
    };

    /// <summary>2.05 with ETag, Content-Format, Max-Age and 32 bytes of JSON: 50 bytes.</summary>
    public static CoapMessage Content => new()
    {
        Type = MessageType.Acknowledgement,
        Code = ResponseCode.Content,
        MessageId = new(0x7d34),
        Token = new([0x4a, 0x11, 0xc2, 0x07]),
        Options = [new ETag(new byte[] { 1, 2, 3, 4 }), new ContentFormat(50), new MaxAge(30)],
        Payload = "{\"temperature\":22.31,\"unit\":\"C\"}"u8.ToArray(),
    };

    /// <summary>The fifth block of a body: 2.05 with ETag, Content-Format, Block2 and 1,024 bytes.</summary>
    public static CoapMessage Block => new()
    {
        Type = MessageType.Acknowledgement,
        Code = ResponseCode.Content,
        MessageId = new(0x7d34),
        Token = new([0x4a, 0x11, 0xc2, 0x07]),
        Options = [new ETag(new byte[] { 1, 2, 3, 4 }), new ContentFormat(42), new Block2(4, hasMore: true, sizeExponent: 6)],
        Payload = new byte[1024],
    };
}
