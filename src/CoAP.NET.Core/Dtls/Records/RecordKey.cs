using System.Buffers.Binary;

namespace CoAP.Dtls;

/// <summary>The key of one direction of a session, and the layout of the records that it protects (RFC 5246, section 6.2.3.3; RFC 9146, section 5.3).</summary>
internal readonly ref struct RecordKey
{
    private const int MaxConnectionId = 255;
    private const int MaxAssociatedData = 23 + MaxConnectionId;

    /// <param name="suite">The cipher suite.</param>
    /// <param name="key">The key.</param>
    /// <param name="iv">The part of the nonce that comes from the handshake.</param>
    public RecordKey(CipherSuite suite, ReadOnlySpan<byte> key, ReadOnlySpan<byte> iv)
    {
        Suite = suite;
        Key = key;
        Iv = iv;
    }

    public CipherSuite Suite { get; }

    /// <summary>The key.</summary>
    public ReadOnlySpan<byte> Key { get; }

    /// <summary>The part of the nonces that comes from the handshake.</summary>
    public ReadOnlySpan<byte> Iv { get; }

    /// <summary>Returns the length of a record in bytes.</summary>
    /// <param name="contentLength">The length of its content.</param>
    /// <param name="connectionIdLength">The length of the receiver's connection ID.</param>
    public int LengthOf(int contentLength, int connectionIdLength) =>
        DtlsRecord.HeaderLength + connectionIdLength + (connectionIdLength > 0 ? 1 : 0) + contentLength + Suite.Overhead;

    /// <summary>Writes a protected record. Returns its length.</summary>
    /// <param name="cipher">The cipher of the lane.</param>
    /// <param name="type">The type of the content.</param>
    /// <param name="number">A number that was never used with this key.</param>
    /// <param name="content">The content.</param>
    /// <param name="connectionId">The receiver's connection ID; empty if none is in use.</param>
    /// <param name="destination">At least <see cref="LengthOf"/> bytes.</param>
    public int Seal(
        IRecordCipher cipher, ContentType type, RecordNumber number, ReadOnlySpan<byte> content, ReadOnlySpan<byte> connectionId, Span<byte> destination)
    {
        var hasId = connectionId.Length > 0;
        var textLength = content.Length + (hasId ? 1 : 0);
        var outer = hasId ? ContentType.ConnectionId : type;
        var at = DtlsRecord.WriteHeader(destination, outer, number, connectionId, textLength + Suite.Overhead);
        if (Suite.ExplicitNonceLength > 0)
        {
            BinaryPrimitives.WriteUInt64BigEndian(destination[at..], number.Value);
            at += Suite.ExplicitNonceLength;
        }
        var text = destination.Slice(at, textLength);
        content.CopyTo(text);
        if (hasId) { text[^1] = (byte)type; }
        Span<byte> nonce = stackalloc byte[RecordNonce.Length];
        RecordNonce.Write(nonce, Iv, number.Value);
        Span<byte> data = stackalloc byte[MaxAssociatedData];
        data = data[..WriteAssociatedData(data, outer, number, connectionId, textLength)];
        cipher.Seal(this, nonce, data, text, destination.Slice(at + textLength, Suite.TagLength));
        return at + textLength + Suite.TagLength;
    }

    /// <summary>
    /// Decrypts a record in place. Returns <see langword="false"/> if it is not authentic, carries only padding, or is longer than 2^14 bytes with its real type and
    /// padding (RFC 9146, section 5). Such records are dropped silently (RFC 6347, section 4.1.2.7).
    /// </summary>
    /// <param name="cipher">The cipher of the lane.</param>
    /// <param name="record">The record.</param>
    /// <param name="type">The real type of the content.</param>
    /// <param name="content">The content, in the memory of the record.</param>
    public bool TryOpen(IRecordCipher cipher, in DtlsRecord record, out ContentType type, out Span<byte> content)
    {
        type = record.Type;
        content = default;
        var length = record.Body.Length - Suite.Overhead;
        if (length < 0 || length > DtlsRecord.MaxContent || record.RecordVersion != DtlsRecord.Version) { return false; }
        Span<byte> nonce = stackalloc byte[RecordNonce.Length];
        RecordNonce.Write(nonce, Iv, Suite.ExplicitNonceLength > 0 ? BinaryPrimitives.ReadUInt64BigEndian(record.Body) : record.Number.Value);
        Span<byte> data = stackalloc byte[MaxAssociatedData];
        data = data[..WriteAssociatedData(data, record.Type, record.Number, record.ConnectionId, length)];
        content = record.Body.Slice(Suite.ExplicitNonceLength, length);
        if (!cipher.TryOpen(this, nonce, data, content, record.Body[^Suite.TagLength..])) { return false; }
        if (type == ContentType.ConnectionId)
        {
            // Zeros are padding; the last byte that is not zero is the real type.
            var end = content.LastIndexOfAnyExcept((byte)0);
            if (end < 0) { return false; }
            type = (ContentType)content[end];
            content = content[..end];
        }
        return true;
    }

    private static int WriteAssociatedData(Span<byte> data, ContentType type, RecordNumber number, ReadOnlySpan<byte> connectionId, int length)
    {
        if (type != ContentType.ConnectionId)
        {
            BinaryPrimitives.WriteUInt64BigEndian(data, number.Value);
            data[8] = (byte)type;
            BinaryPrimitives.WriteUInt16BigEndian(data[9..], DtlsRecord.Version);
            BinaryPrimitives.WriteUInt16BigEndian(data[11..], (ushort)length);
            return 13;
        }
        data[..8].Fill(0xFF);
        data[8] = (byte)type;
        data[9] = (byte)connectionId.Length;
        data[10] = (byte)type;
        BinaryPrimitives.WriteUInt16BigEndian(data[11..], DtlsRecord.Version);
        BinaryPrimitives.WriteUInt64BigEndian(data[13..], number.Value);
        connectionId.CopyTo(data[21..]);
        BinaryPrimitives.WriteUInt16BigEndian(data[(21 + connectionId.Length)..], (ushort)length);
        return 23 + connectionId.Length;
    }
}
