using System.Buffers.Binary;
using CoAP.Tool.LoadEngine;

namespace CoAP.Benchmarks.Load;

/// <summary>A message of CoAP over TCP: where it begins and ends (RFC 8323, section 3.2).</summary>
internal readonly ref struct StreamFrame
{
    private const int SignalClass = 7;

    private StreamFrame(byte code, ReadOnlySpan<byte> token, long length)
    {
        Code = code;
        Token = token;
        Length = length;
    }

    /// <summary>A CSM without options, which a connection begins with (section 5.3).</summary>
    public static ReadOnlySpan<byte> Csm => [0x00, 0xE1];

    /// <summary>Returns the shape of a request over TCP.</summary>
    public static RequestShape ShapeOf(CoapMessage request)
    {
        var bytes = CoapMessageSerializer.Stream.Serialize(request);
        return new RequestShape(bytes, HeaderOf(bytes[0]), isDatagram: false);
    }

    public byte Code { get; }

    public ReadOnlySpan<byte> Token { get; }

    /// <summary>The length of the whole message in bytes.</summary>
    public long Length { get; }

    /// <summary>Whether the message is a signal (section 5).</summary>
    public bool IsSignal => Code >> 5 == SignalClass;

    /// <summary>Reads the header and the token. Returns <c>false</c> if they are not complete.</summary>
    public static bool TryRead(ReadOnlySpan<byte> bytes, out StreamFrame frame)
    {
        frame = default;
        if (bytes.IsEmpty) { return false; }
        var header = HeaderOf(bytes[0]);
        var token = bytes[0] & 15;
        if (bytes.Length < header + token) { return false; }
        long body = (bytes[0] >> 4) switch
        {
            13 => bytes[1] + 13,
            14 => BinaryPrimitives.ReadUInt16BigEndian(bytes[1..]) + 269,
            15 => BinaryPrimitives.ReadUInt32BigEndian(bytes[1..]) + 65805L,
            var length => length,
        };
        frame = new(bytes[header - 1], bytes.Slice(header, token), header + token + body);
        return true;
    }

    // The length, what extends it, and the code.
    private static int HeaderOf(byte first) => (first >> 4) switch { 13 => 3, 14 => 4, 15 => 6, _ => 2 };
}
