using System.Buffers.Binary;

namespace CoAP.Dtls;

/// <summary>The connection IDs of a session (RFC 9146, section 3).</summary>
/// <param name="Own">The ID in the records of the peer; empty if they have none.</param>
/// <param name="Peer">The ID in our records; empty if they have none.</param>
internal readonly record struct ConnectionIds(ReadOnlyMemory<byte> Own, ReadOnlyMemory<byte> Peer)
{
    /// <summary>The longest ID of ours in bytes.</summary>
    public const int MaxOwnLength = 16;

    /// <summary>Returns an ID of ours as the key of a table. All of them have the same length.</summary>
    public static UInt128 NumberOf(ReadOnlySpan<byte> id)
    {
        Span<byte> bytes = stackalloc byte[MaxOwnLength];
        bytes.Clear();
        id.CopyTo(bytes);
        return BinaryPrimitives.ReadUInt128BigEndian(bytes);
    }
}
