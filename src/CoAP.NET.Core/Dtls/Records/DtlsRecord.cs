using System.Buffers.Binary;

namespace CoAP.Dtls;

/// <summary>A record in a received datagram (RFC 6347, section 4.1; RFC 9146, section 4).</summary>
/// <remarks>It refers to the memory of the datagram and is decrypted in place.</remarks>
internal readonly ref struct DtlsRecord
{
    /// <summary>The length of the header without a connection ID in bytes.</summary>
    public const int HeaderLength = 13;

    /// <summary>The longest content of a record in bytes.</summary>
    public const int MaxContent = 1 << 14;

    /// <summary>DTLS 1.2.</summary>
    public const ushort Version = 0xFEFD;

    /// <summary>DTLS 1.0. The first messages of a handshake may have it, because no version is agreed yet.</summary>
    public const ushort OldVersion = 0xFEFF;

    /// <summary>The offset of the connection ID, if there is one (RFC 9146, section 4).</summary>
    public const int IdAt = 11;

    private const int MaxExpansion = 2048;

    private DtlsRecord(ContentType type, ushort version, RecordNumber number, ReadOnlySpan<byte> connectionId, Span<byte> body)
    {
        (Type, RecordVersion, Number) = (type, version, number);
        ConnectionId = connectionId;
        Body = body;
    }

    public ContentType Type { get; }

    public ushort RecordVersion { get; }

    public RecordNumber Number { get; }

    /// <summary>Our connection ID; empty if the record has none.</summary>
    public ReadOnlySpan<byte> ConnectionId { get; }

    /// <summary>The content; encrypted in epochs above 0.</summary>
    public Span<byte> Body { get; }

    /// <summary>
    /// Reads the next record of a datagram and advances the datagram past it. Returns <see langword="false"/> at the end. A truncated or malformed record ends
    /// the datagram, because the start of the next record is unknown.
    /// </summary>
    /// <param name="datagram">The rest of the datagram.</param>
    /// <param name="connectionIdLength">The length of our connection IDs in bytes. It is not on the wire.</param>
    /// <param name="record">The record.</param>
    public static bool TryRead(ref Span<byte> datagram, int connectionIdLength, out DtlsRecord record)
    {
        record = default;
        if (datagram.Length < HeaderLength) { return false; }
        var type = (ContentType)datagram[0];
        if (type == ContentType.ConnectionId && connectionIdLength == 0) { return false; }
        var idLength = type == ContentType.ConnectionId ? connectionIdLength : 0;
        var version = BinaryPrimitives.ReadUInt16BigEndian(datagram[1..]);
        var head = HeaderLength + idLength;
        if (version is not (Version or OldVersion) || datagram.Length < head) { return false; }
        var length = BinaryPrimitives.ReadUInt16BigEndian(datagram[(head - sizeof(ushort))..]);
        if (length > MaxContent + MaxExpansion || length > datagram.Length - head) { return false; }
        var number = new RecordNumber(BinaryPrimitives.ReadUInt64BigEndian(datagram[3..]));
        record = new(type, version, number, datagram.Slice(IdAt, idLength), datagram.Slice(head, length));
        datagram = datagram[(head + length)..];
        return true;
    }

    /// <summary>Writes the header of a record. Returns its length.</summary>
    public static int WriteHeader(Span<byte> destination, ContentType type, RecordNumber number, ReadOnlySpan<byte> connectionId, int bodyLength)
    {
        destination[0] = (byte)type;
        BinaryPrimitives.WriteUInt16BigEndian(destination[1..], Version);
        BinaryPrimitives.WriteUInt64BigEndian(destination[3..], number.Value);
        connectionId.CopyTo(destination[IdAt..]);
        BinaryPrimitives.WriteUInt16BigEndian(destination[(IdAt + connectionId.Length)..], (ushort)bodyLength);
        return HeaderLength + connectionId.Length;
    }
}
