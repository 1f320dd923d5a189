using System.Buffers.Binary;

namespace CoAP.Dtls;

/// <summary>The header of a handshake message or of its fragment (RFC 6347, section 4.2.2).</summary>
internal readonly record struct HandshakeHeader(HandshakeType Type, int Length, ushort Sequence, int FragmentOffset, int FragmentLength)
{
    /// <summary>The length of the header in bytes.</summary>
    public const int Size = 12;

    /// <summary>Reads the header of the next fragment. Returns <see langword="false"/> if it is cut off, or the fragment exceeds its message or the record.</summary>
    public static bool TryRead(ReadOnlySpan<byte> bytes, out HandshakeHeader header)
    {
        header = default;
        if (bytes.Length < Size) { return false; }
        header = new(
            (HandshakeType)bytes[0], ReadUInt24(bytes[1..]), BinaryPrimitives.ReadUInt16BigEndian(bytes[4..]), ReadUInt24(bytes[6..]), ReadUInt24(bytes[9..]));
        return header.FragmentLength <= header.Length - header.FragmentOffset && header.FragmentLength <= bytes.Length - Size;
    }

    /// <summary>Writes the header.</summary>
    /// <param name="destination">12 bytes.</param>
    public void Write(Span<byte> destination)
    {
        destination[0] = (byte)Type;
        WriteUInt24(destination[1..], Length);
        BinaryPrimitives.WriteUInt16BigEndian(destination[4..], Sequence);
        WriteUInt24(destination[6..], FragmentOffset);
        WriteUInt24(destination[9..], FragmentLength);
    }

    private static int ReadUInt24(ReadOnlySpan<byte> bytes) => (bytes[0] << 16) | (bytes[1] << 8) | bytes[2];

    private static void WriteUInt24(Span<byte> bytes, int value) => (bytes[0], bytes[1], bytes[2]) = ((byte)(value >> 16), (byte)(value >> 8), (byte)value);
}

/// <summary>The types of handshake messages that this library inspects (RFC 5246, section 7.4; RFC 6347, section 4.3.2).</summary>
internal enum HandshakeType : byte
{
    HelloRequest = 0,
    ClientHello = 1,
    ServerHello = 2,
    HelloVerifyRequest = 3,
    CertificateRequest = 13,
    ServerHelloDone = 14,
    ClientKeyExchange = 16,
    Finished = 20,
}
