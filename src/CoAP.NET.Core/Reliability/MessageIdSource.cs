namespace CoAP.Reliability;

/// <summary>The result of requesting a message ID.</summary>
internal enum MessageIdOutcome
{
    /// <summary>An ID that was not used within the quarantine.</summary>
    Fresh,

    /// <summary>The oldest ID of a settled exchange, which is still in quarantine.</summary>
    Reused,

    /// <summary>No ID: all are in quarantine and the caller is strict, or all belong to unsettled exchanges.</summary>
    Exhausted,
}

/// <summary>The message IDs for messages to one endpoint (RFC 7252, section 4.4).</summary>
/// <remarks>
/// IDs are used consecutively from an unpredictable start. After a full cycle, an ID is used again when its quarantine has passed. The time of
/// use is stored per block of IDs and not per ID, so that a source takes at most about 1 KiB, and some dozen bytes for a peer with few messages.
/// IDs of unsettled exchanges are skipped. The top 1,024 IDs are reserved for multicast, from one source per local endpoint, because some
/// receivers cannot distinguish multicast from unicast datagrams. Of the 265 messages per second that 65,536 IDs in 247 seconds allow, a strict
/// sender of unicast keeps 260.
/// </remarks>
internal sealed class MessageIdSource
{
    /// <summary>The number of unicast IDs: 0 to 64,511.</summary>
    public const int UnicastCount = 65_536 - MulticastCount;

    /// <summary>The number of multicast IDs: 64,512 to 65,535.</summary>
    public const int MulticastCount = 1_024;

    private const int UnicastBlockShift = 8;
    private const int MulticastBlockShift = 4;
    private const int TimeShift = 20;               // block times are stored in units of about 0.1 s, so that 32 bits last for 14 years

    private readonly HashSet<ushort> _unsettled = [];
    private readonly long _origin;
    private readonly long _quarantine;
    private readonly int _start;
    private readonly int _first;
    private readonly int _count;
    private readonly int _blockShift;
    private uint[] _blockTimes = [];
    private int _position;
    private bool _hasLapped;
    private long _lastTime;
    private long _blockReadyAt = long.MinValue;     // the time at which the IDs of the current block leave quarantine

    private MessageIdSource(long now, long quarantine, int start, int first, int count, int blockShift)
    {
        (_origin, _lastTime, _quarantine, _start) = (now, now, quarantine, start % count);
        (_first, _count, _blockShift) = (first, count, blockShift);
    }

    /// <summary>The number of unsettled exchanges.</summary>
    public int Unsettled => _unsettled.Count;

    /// <summary>The next ID, for a <see cref="MessageIdTable"/> that continues the sequence.</summary>
    public MessageId Next => IdAt(_position);

    /// <summary>Creates a source for one peer.</summary>
    /// <param name="now">The time.</param>
    /// <param name="quarantine">The quarantine, by default EXCHANGE_LIFETIME.</param>
    /// <param name="start">An unpredictable number, or the next ID of a <see cref="MessageIdTable"/>.</param>
    public static MessageIdSource ForUnicast(long now, long quarantine, ushort start) =>
        new(now, quarantine, start, 0, UnicastCount, UnicastBlockShift);

    /// <summary>Creates a source for all multicast requests of one local endpoint, because its groups may share members.</summary>
    public static MessageIdSource ForMulticast(long now, long quarantine, ushort start) =>
        new(now, quarantine, start, UnicastCount, MulticastCount, MulticastBlockShift);

    /// <summary>Returns the next ID, which is unsettled until <see cref="Settle"/>.</summary>
    /// <param name="now">The time.</param>
    /// <param name="strict">Whether to wait instead of using an ID in quarantine.</param>
    /// <param name="id">The ID, unless the IDs are exhausted.</param>
    /// <param name="retryAt">If the IDs are exhausted, the time at which one is available; <see cref="long.MaxValue"/> if an exchange has to be
    /// settled first.</param>
    public MessageIdOutcome TryNext(long now, bool strict, out MessageId id, out long retryAt)
    {
        id = default;
        retryAt = long.MaxValue;
        if (_unsettled.Count >= _count) { return MessageIdOutcome.Exhausted; }
        while (_hasLapped && _unsettled.Contains(IdAt(_position).Value)) { Advance(); }
        var isFresh = now >= _blockReadyAt;
        if (!isFresh && strict)
        {
            retryAt = _blockReadyAt;
            return MessageIdOutcome.Exhausted;
        }
        id = IdAt(_position);
        retryAt = now;
        _lastTime = now;
        _unsettled.Add(id.Value);
        Advance();
        return isFresh ? MessageIdOutcome.Fresh : MessageIdOutcome.Reused;
    }

    /// <summary>Returns whether this many IDs are available that were not used within the quarantine.</summary>
    public bool HasFresh(long now, int count)
    {
        if (_unsettled.Count + count > _count) { return false; }
        var last = _position + count - 1;
        return (last < _count && !_hasLapped) || now >= ReadyAt((last % _count) >> _blockShift);
    }

    /// <summary>Returns whether all IDs are fresh and settled.</summary>
    public bool IsRested(long now) => _unsettled.Count == 0 && now - _lastTime >= _quarantine;

    /// <summary>Called when the exchange has ended or never started. After the quarantine, its ID may be used again.</summary>
    public void Settle(MessageId id) => _unsettled.Remove(id.Value);

    private MessageId IdAt(int position) => new((ushort)(_first + ((_start + position) % _count)));

    private void Advance()
    {
        var block = _position >> _blockShift;
        _position++;
        if (_position >> _blockShift == block) { return; }
        Remember(block);
        if (_position == _count)
        {
            _position = 0;
            _hasLapped = true;
        }
        if (_hasLapped) { _blockReadyAt = ReadyAt(_position >> _blockShift); }
    }

    private long ReadyAt(int block) => _origin + ((long)_blockTimes[block] << TimeShift) + _quarantine;

    private void Remember(int block)
    {
        if (block >= _blockTimes.Length)
        {
            Array.Resize(ref _blockTimes, Math.Min(_count >> _blockShift, Math.Max(4, _blockTimes.Length * 2)));
        }
        _blockTimes[block] = (uint)((_lastTime - _origin + (1L << TimeShift) - 1) >> TimeShift);
    }
}
