namespace CoAP.Reliability;

/// <summary>What became of the wish for a message ID.</summary>
internal enum MessageIdOutcome
{
    /// <summary>An ID that the peer has not seen within the quarantine.</summary>
    Fresh,

    /// <summary>The oldest ID of a settled exchange, still in quarantine: to be counted.</summary>
    Reused,

    /// <summary>None: all are in quarantine (and the caller is strict), or all belong to unsettled exchanges.</summary>
    Exhausted,
}

/// <summary>The message IDs of the messages sent to one endpoint (RFC 7252, section 4.4).</summary>
/// <remarks>
/// IDs are given out in a row from an unpredictable start. When the row has gone round, an ID is fresh again once the quarantine has passed
/// since it was given out; that time is kept per block of IDs, not per ID, so that a source holds about 1 KiB at most and some dozen bytes
/// while its peer has seen few messages. IDs of unsettled exchanges are passed over.
/// The top 1,024 IDs are for multicast alone, from one source per local endpoint, because some receivers cannot tell multicast from unicast
/// datagrams. Of the 265 messages a second that 65,536 IDs in 247 seconds allow, this leaves 260 to a strict sender of unicast.
/// </remarks>
internal sealed class MessageIdSource
{
    /// <summary>How many IDs unicast has: 0 to 64,511.</summary>
    public const int UnicastCount = 65_536 - MulticastCount;

    /// <summary>How many IDs multicast has: 64,512 to 65,535.</summary>
    public const int MulticastCount = 1_024;

    private const int UnicastBlockShift = 8;
    private const int MulticastBlockShift = 4;
    private const int TimeShift = 20;               // block times are kept in units of about 0.1 s, so that 32 bits last for 14 years

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
    private long _blockReadyAt = long.MinValue;     // when the IDs of the current block left, or will leave, quarantine

    private MessageIdSource(long now, long quarantine, int start, int first, int count, int blockShift)
    {
        (_origin, _lastTime, _quarantine, _start) = (now, now, quarantine, start % count);
        (_first, _count, _blockShift) = (first, count, blockShift);
    }

    /// <summary>How many exchanges have not been settled.</summary>
    public int Unsettled => _unsettled.Count;

    /// <summary>The ID that stands next in the row, for handing the row over to a <see cref="MessageIdTable"/>.</summary>
    public MessageId Next => IdAt(_position);

    /// <summary>A source for one peer.</summary>
    /// <param name="now">The time.</param>
    /// <param name="quarantine">EXCHANGE_LIFETIME, unless set otherwise.</param>
    /// <param name="start">Unpredictable, or the next ID of a <see cref="MessageIdTable"/>.</param>
    public static MessageIdSource ForUnicast(long now, long quarantine, ushort start) =>
        new(now, quarantine, start, 0, UnicastCount, UnicastBlockShift);

    /// <summary>A source for all multicast requests of one local endpoint, since its groups may share members.</summary>
    public static MessageIdSource ForMulticast(long now, long quarantine, ushort start) =>
        new(now, quarantine, start, UnicastCount, MulticastCount, MulticastBlockShift);

    /// <summary>Gives out the next ID, which counts as unsettled until <see cref="Settle"/>.</summary>
    /// <param name="now">The time.</param>
    /// <param name="strict">Whether to wait rather than to use an ID in quarantine.</param>
    /// <param name="id">The ID, unless exhausted.</param>
    /// <param name="retryAt">
    /// When exhausted: the time from which there is an ID; <see cref="long.MaxValue"/> if an exchange has to be settled first.
    /// </param>
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

    /// <summary>The exchange has ended, or never began to wait: after the quarantine its ID may be used again.</summary>
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
        if (_hasLapped)
        {
            _blockReadyAt = _origin + ((long)_blockTimes[_position >> _blockShift] << TimeShift) + _quarantine;
        }
    }

    private void Remember(int block)
    {
        if (block >= _blockTimes.Length)
        {
            Array.Resize(ref _blockTimes, Math.Min(_count >> _blockShift, Math.Max(4, _blockTimes.Length * 2)));
        }
        _blockTimes[block] = (uint)((_lastTime - _origin + (1L << TimeShift) - 1) >> TimeShift);
    }
}
