using System.Buffers.Binary;
using System.Globalization;
using CoAP.Options;
using CoAP.Serialization;

namespace CoAP.Measurements.Drip;

/// <summary>The message that is sent a byte at a time: the case study's, as a request, in the form of RFC 8323.</summary>
internal static class DripMessage
{
    private const int UriPaths = 100;

    public static byte[] Make(Token token, int payload) => CoapMessageSerializer.Stream.Serialize(new CoapMessage
    {
        Code = RequestCode.Post,
        Token = token,
        Options = [.. Enumerable.Range(0, UriPaths).Select(index => new UriPath(index.ToString(CultureInfo.InvariantCulture)))],
        Payload = new byte[payload],
    });

    /// <summary>A token of eight bytes that says which message it is.</summary>
    public static Token TokenOf(int number)
    {
        Span<byte> bytes = stackalloc byte[8];
        BinaryPrimitives.WriteInt64BigEndian(bytes, 0x0c0a_0000_0000_0000 + number);
        return new Token(bytes);
    }
}
