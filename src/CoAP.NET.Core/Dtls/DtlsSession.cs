namespace CoAP.Dtls;

/// <summary>A session after its handshake: keys, record numbers, and connection IDs (RFC 6347, section 4.1; RFC 9146).</summary>
/// <remarks>A session is independent of addresses. Not safe for concurrent use.</remarks>
/// <param name="keys">The keys.</param>
/// <param name="isServer">Whether this side is the server.</param>
/// <param name="ids">The connection IDs.</param>
/// <param name="generation">The generation of our record numbers (<see cref="RecordNumber"/>).</param>
internal sealed class DtlsSession(SessionKeys keys, bool isServer, ConnectionIds ids, ushort generation = 0)
{
    /// <summary>The epoch of all sessions, because there is no renegotiation.</summary>
    public const ushort Epoch = 1;

    private readonly RecordNumber _first = RecordNumber.FirstOf(Epoch, generation);
    private ReplayWindow _window;
    private long _sent;

    private RecordKey Read => isServer ? keys.Client : keys.Server;

    private RecordKey Write => isServer ? keys.Server : keys.Client;

    public ushort Generation => generation;

    public CipherSuite Suite => keys.Suite;

    public ConnectionIds Ids => ids;

    /// <summary>
    /// The longest content of the records of both sides in bytes. The client may have asked for a shorter one (RFC 6066, section 4).
    /// </summary>
    public int MaxContent { get; init; } = DtlsRecord.MaxContent;

    /// <summary>
    /// The longest message in bytes. Peers that ask for short records may have no room for longer datagrams, so the whole record is at most as long as a plain one
    /// with <see cref="MaxContent"/>. The real type of a record with a connection ID counts as well (RFC 9146, section 5).
    /// </summary>
    public int MaxMessage => MaxContent + DtlsRecord.HeaderLength - LengthOf(0);

    /// <summary>Whether the peer answers the challenges of the return routability check (RFC 9853).</summary>
    public bool HasRoutabilityCheck { get; init; }

    /// <summary>Whether all numbers of this generation are used. The peers then need a new handshake or a new generation.</summary>
    public bool IsExhausted => _sent > RecordNumber.MaxCounter;

    /// <summary>The number of the next record that is sent.</summary>
    public RecordNumber Next => new(_first.Value + (ulong)_sent);

    /// <summary>The highest sequence number of the peer.</summary>
    public ulong HighestReceived => _window.Highest;

    /// <summary>Returns the length of a record with a content of this length, in bytes.</summary>
    public int LengthOf(int contentLength) => Write.LengthOf(contentLength, ids.Peer.Length);

    /// <summary>Writes a record. Returns its length.</summary>
    /// <param name="cipher">The cipher of the lane.</param>
    /// <param name="type">The type of the content.</param>
    /// <param name="content">At most <see cref="MaxContent"/> bytes.</param>
    /// <param name="destination">At least <see cref="LengthOf"/> bytes.</param>
    /// <exception cref="InvalidOperationException">The numbers are exhausted.</exception>
    public int Seal(IRecordCipher cipher, ContentType type, ReadOnlySpan<byte> content, Span<byte> destination)
    {
        if (IsExhausted) { throw new InvalidOperationException($"The session has sent {_sent} records, which are all that its keys may protect."); }
        var number = Next;
        _sent++;
        return Write.Seal(cipher, type, number, content, ids.Peer.Span, destination);
    }

    /// <summary>Decrypts a record in place.</summary>
    /// <param name="cipher">The cipher of the lane.</param>
    /// <param name="record">The record.</param>
    /// <param name="type">The real type of the content.</param>
    /// <param name="content">The content, in the memory of the record.</param>
    public RecordVerdict Open(IRecordCipher cipher, in DtlsRecord record, out ContentType type, out Span<byte> content)
    {
        type = default;
        content = default;
        // With a connection ID, other records are not for this session (RFC 9146, section 4).
        if (record.Number.Epoch != Epoch || (record.Type == ContentType.ConnectionId) != (ids.Own.Length > 0)) { return RecordVerdict.Dropped; }
        var number = record.Number.Sequence;
        if (!_window.IsNew(number)) { return RecordVerdict.Replayed; }
        if (!Read.TryOpen(cipher, record, out type, out content)) { return RecordVerdict.Dropped; }
        if (content.Length > MaxContent) { return RecordVerdict.TooLong; }
        return _window.Accept(number) ? RecordVerdict.Newest : RecordVerdict.Late;
    }

    /// <summary>Returns a copy of the keys.</summary>
    public byte[] CopyKeys() => keys.Block.ToArray();

    /// <summary>
    /// Marks all numbers up to this one as used. Called when a session is restored, and again when the peer has proven its current number, because records
    /// that were sent in between could be replays.
    /// </summary>
    public void ForgetUpTo(ulong number) => _window = ReplayWindow.Beyond(Math.Max(number, _window.Highest));

    /// <summary>Overwrites the keys.</summary>
    public void Erase() => keys.Erase();
}

/// <summary>The result of opening a record.</summary>
internal enum RecordVerdict : byte
{
    /// <summary>It is not for the session, or not authentic.</summary>
    Dropped,

    /// <summary>Its number was used, or is older than the window.</summary>
    Replayed,

    /// <summary>It is authentic, but its content is longer than the two sides have agreed (RFC 6066, section 4).</summary>
    TooLong,

    /// <summary>It is authentic, and a newer record arrived before it.</summary>
    Late,

    /// <summary>It is authentic and newer than all earlier records. Only such a record may change the peer's address (RFC 9146, section 6).</summary>
    Newest,
}
