using System.Buffers.Binary;

namespace CoAP.Dtls;

/// <summary>The nonce of a record. No two records may use the same nonce with the same key.</summary>
internal static class RecordNonce
{
    /// <summary>The length of all nonces in bytes.</summary>
    public const int Length = 12;

    private const int NumberAt = Length - sizeof(ulong);

    /// <summary>Writes the nonce.</summary>
    /// <param name="nonce">12 bytes.</param>
    /// <param name="iv">The part that comes from the handshake.</param>
    /// <param name="number">The part that comes from the record: its explicit nonce, or for ChaCha20 its epoch and sequence number.</param>
    public static void Write(Span<byte> nonce, ReadOnlySpan<byte> iv, ulong number)
    {
        iv.CopyTo(nonce);
        // GCM and CCM append the number to the handshake's part (RFC 5288, section 3). ChaCha20 combines both with XOR (RFC 7905, section 2).
        if (iv.Length == Length) { number ^= BinaryPrimitives.ReadUInt64BigEndian(nonce[NumberAt..]); }
        BinaryPrimitives.WriteUInt64BigEndian(nonce[NumberAt..], number);
    }
}
