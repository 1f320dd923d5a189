using System.Buffers.Binary;

namespace CoAP.Dtls;

/// <summary>The nonce of a record. With the same key, no two records may have the same.</summary>
internal static class RecordNonce
{
    /// <summary>The length of all nonces in bytes.</summary>
    public const int Length = 12;

    private const int NumberAt = Length - sizeof(ulong);

    /// <summary>Writes the nonce.</summary>
    /// <param name="nonce">12 bytes.</param>
    /// <param name="iv">The part of the handshake.</param>
    /// <param name="number">The part of the record: its explicit nonce, or for ChaCha20 epoch and sequence number.</param>
    public static void Write(Span<byte> nonce, ReadOnlySpan<byte> iv, ulong number)
    {
        iv.CopyTo(nonce);
        // GCM and CCM continue the part of the handshake (RFC 5288, section 3). ChaCha20 combines both (RFC 7905, section 2).
        if (iv.Length == Length) { number ^= BinaryPrimitives.ReadUInt64BigEndian(nonce[NumberAt..]); }
        BinaryPrimitives.WriteUInt64BigEndian(nonce[NumberAt..], number);
    }
}
