using System.Buffers.Binary;

namespace CoAP.Load;

/// <summary>Where a message of CoAP over TCP begins and ends (RFC 8323, section 3.2).</summary>
internal readonly ref struct StreamFrame
{
    private const int SignalClass = 7;

    private StreamFrame(byte code, ReadOnlySpan<byte> token, long length)
    {
        Code = code;
        Token = token;
        Length = length;
    }

    public byte Code { get; }

    public ReadOnlySpan<byte> Token { get; }

    /// <summary>The length of the whole message in bytes.</summary>
    public long Length { get; }

    /// <summary>A signal (RFC 8323, section 5).</summary>
    public bool IsSignal => Code >> 5 == SignalClass;

    /// <summary>The length of what stands before the token.</summary>
    public static int HeaderLength(byte first) => 2 + ExtendedLength(first);

    /// <summary>Reads the header and the token; false if they are not whole yet.</summary>
    public static bool TryRead(ReadOnlySpan<byte> bytes, out StreamFrame frame)
    {
        frame = default;
        if (bytes.IsEmpty) { return false; }
        var (header, token) = (HeaderLength(bytes[0]), bytes[0] & 15);
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

    private static int ExtendedLength(byte first) => (first >> 4) switch { 13 => 1, 14 => 2, 15 => 4, _ => 0 };
}
