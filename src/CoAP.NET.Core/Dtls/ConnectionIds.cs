using System.Buffers.Binary;

namespace CoAP.Dtls;

/// <summary>The connection IDs of a session (RFC 9146, section 3).</summary>
/// <param name="Own">Our ID, which the peer's records carry; empty if they carry none.</param>
/// <param name="Peer">The peer's ID, which our records carry; empty if they carry none.</param>
internal readonly record struct ConnectionIds(ReadOnlyMemory<byte> Own, ReadOnlyMemory<byte> Peer)
{
    /// <summary>The maximum length of our IDs in bytes.</summary>
    public const int MaxOwnLength = 16;

    /// <summary>Converts one of our IDs, which all have the same length, into a table key.</summary>
    public static UInt128 NumberOf(ReadOnlySpan<byte> id)
    {
        Span<byte> bytes = stackalloc byte[MaxOwnLength];
        bytes.Clear();
        id.CopyTo(bytes);
        return BinaryPrimitives.ReadUInt128BigEndian(bytes);
    }
}
