using CoAP.Options;
using CoAP.Reliability;

namespace CoAP.Blockwise;

/// <summary>Collects the blocks of a body in any order and decides when to request which missing blocks (RFC 9177, section 7.2).</summary>
/// <remarks>
/// <list type="bullet">
/// <item>A set of MAX_PAYLOADS blocks has arrived and nothing after it: Continue.</item>
/// <item>A block of a later set arrives while earlier sets have gaps: the gaps are requested immediately, once.</item>
/// <item>No new block arrives for NON_RECEIVE_TIMEOUT: the missing blocks of the current set are requested. The wait doubles each time.</item>
/// <item>NON_MAX_RETRANSMIT such requests without an answer, or NON_PARTIAL_TIMEOUT without a new block: the body is given up.</item>
/// </list>
/// </remarks>
/// <param name="settings">The times.</param>
/// <param name="maxBody">The largest body in bytes.</param>
/// <param name="probingRate">PROBING_RATE in bytes per second.</param>
/// <param name="now">The time.</param>
internal sealed class RobustReceiver(RobustTransferSettings settings, long maxBody, double probingRate, long now)
{
    // The size of a request with its options, for PROBING_RATE.
    private const int AskSize = 64;
    private const int ProbingBurst = 4 * AskSize;

    // The approximate overhead of a body, so that empty ones count as well.
    private const int Overhead = 1024;

    private BlockMap? _map;
    private SparseBody? _body;
    private ProbingBudget _probing = new(probingRate, ProbingBurst);
    private long _partialUntil = now + settings.NonPartialTimeout.Ticks;
    private int _repeats;
    private int _askedSet;              // gaps before this set have been requested
    private int _askedEnd;              // the last request was about blocks before this one,
    private int _asked;                 // and this many of them are outstanding
    private bool _isContinueDue;
    private bool _isMissingDue;
    private bool _isOver;

    /// <summary>Whether missing blocks are requested. The sender of confirmable blocks repeats them by itself.</summary>
    public bool Asks { get; set; } = true;

    public long Deadline { get; private set; } = now + settings.NonReceiveTimeout.Ticks;

    public BlockSize Size { get; private set; }

    /// <summary>The length of the body in bytes, after the first block.</summary>
    public long Total { get; private set; }

    public int Count => _map?.Count ?? 0;

    /// <summary>The number of different blocks that have arrived.</summary>
    public int Present => _map?.Present ?? 0;

    /// <summary>The memory of the body in bytes.</summary>
    public long Held => Overhead + (Count / 8) + (_body?.Held ?? 0);

    /// <summary>Processes a block.</summary>
    /// <param name="block">The option of the block.</param>
    /// <param name="total">The length of the body in Size1 or Size2.</param>
    /// <param name="payload">Its bytes.</param>
    /// <param name="now">The time.</param>
    public RobustOutcome Accept(BlockOption block, long total, ReadOnlySpan<byte> payload, long now)
    {
        if (_isOver) { return RobustOutcome.Rejected(ResponseCode.RequestEntityIncomplete); }
        if (Check(block, total, payload.Length) is { IsRejected: true } rejected) { return Ended(rejected); }
        _probing.Heard();
        var number = block.BlockNumber;
        if (!_map!.TryAdd(number))
        {
            // The response may have been lost, so the peer gets it again (RFC 9177, section 4.3).
            _isContinueDue |= IsSetWhole();
            _isMissingDue |= StartOfSet(_map.Highest) is var newest && number >= newest && _map.FirstMissing < newest;
            return RobustOutcome.Continue;
        }
        _body!.Write((int)Size.OffsetOf(number), payload);
        if (_map.IsComplete) { return Ended(RobustOutcome.Complete); }
        _repeats = 0;
        _partialUntil = now + settings.NonPartialTimeout.Ticks;
        Rest(now);
        Consider(number);
        return RobustOutcome.Continue;
    }

    /// <summary>Returns the message to send now. A late poll sends one message, not one for each missed deadline.</summary>
    public RobustAsk Poll(long now)
    {
        if (_isOver) { return RobustAsk.None; }
        if (!Asks) { _isMissingDue = _isContinueDue = false; }
        if (_isMissingDue)
        {
            _isMissingDue = false;
            return Missing(StartOfSet(_map!.Highest));
        }
        if (_isContinueDue)
        {
            _isContinueDue = false;
            return new RobustAsk(RobustAskKind.Continue, _map!.FirstMissing, []);
        }
        return now < Deadline ? RobustAsk.None : OnDeadline(now);
    }

    /// <summary>Requests the missing blocks without further waiting.</summary>
    public void AskNow(long now)
    {
        if (!_isOver) { Deadline = now; }
    }

    /// <summary>Returns the complete body.</summary>
    public byte[] Take() => _body!.Take();

    private RobustAsk OnDeadline(long now)
    {
        if ((Asks && _repeats >= settings.NonMaxRetransmit) || now >= _partialUntil)
        {
            Ended(default);
            return new RobustAsk(RobustAskKind.GiveUp, 0, []);
        }
        if (!Asks)
        {
            Rest(now);
            return RobustAsk.None;
        }
        if (!_probing.TryTake(AskSize, now, out var retryAt))
        {
            Deadline = retryAt;
            return RobustAsk.None;
        }
        _repeats++;
        Rest(now);
        if (_map is null) { return new RobustAsk(RobustAskKind.Everything, 0, []); }
        return Missing(EndOfSet(Math.Max(_map.Highest, _map.FirstMissing)));
    }

    private RobustOutcome Check(BlockOption block, long total, int length)
    {
        var size = BlockSize.Of(block);
        if (size.IsBert) { return RobustOutcome.Rejected(ResponseCode.BadRequest); }
        if (_map is null)
        {
            if (total > Math.Min(maxBody, size.MaxBody)) { return RobustOutcome.Rejected(ResponseCode.RequestEntityTooLarge); }
            (Size, Total) = (size, total);
        }
        else if (size != Size || total != Total) { return RobustOutcome.Rejected(ResponseCode.BadRequest); }
        var count = Size.CountOf(Total);
        var number = block.BlockNumber;
        var isLast = number == count - 1;
        if (number >= count || block.HasMore == isLast || length != (isLast ? Total - Size.OffsetOf(number) : Size.Bytes))
        {
            return RobustOutcome.Rejected(ResponseCode.BadRequest);
        }
        _map ??= new BlockMap(count);
        _body ??= new SparseBody((int)Total);
        return RobustOutcome.Continue;
    }

    private void Consider(int number)
    {
        if (_asked > 0 && number < _askedEnd) { _asked--; }
        _isContinueDue = IsSetWhole();
        var start = StartOfSet(_map!.Highest);
        if (_map.FirstMissing >= start) { return; }
        var isNewSet = StartOfSet(number) > _askedSet;
        if (!isNewSet && (_asked > 0 || number >= start)) { return; }
        _askedSet = start;
        _isMissingDue = true;
    }

    private bool IsSetWhole() => _map!.FirstMissing == _map.Highest + 1 && _map.FirstMissing % settings.MaxPayloads == 0;

    private RobustAsk Missing(int end)
    {
        var numbers = new List<int>(settings.MaxPayloads);
        for (var one = _map!.FirstMissing; one < end && numbers.Count < settings.MaxPayloads; one = _map.NextMissing(one + 1)) { numbers.Add(one); }
        (_asked, _askedEnd) = (numbers.Count, end);
        return numbers.Count == 0 ? RobustAsk.None : new RobustAsk(RobustAskKind.Missing, 0, [.. numbers]);
    }

    private int StartOfSet(int number) => number - (number % settings.MaxPayloads);

    private int EndOfSet(int number) => Math.Min(settings.EndOfSet(number), _map!.Count);

    private void Rest(long now) => Deadline = Asks ? now + (settings.NonReceiveTimeout.Ticks << _repeats) : _partialUntil;

    private RobustOutcome Ended(RobustOutcome outcome)
    {
        (_isOver, Deadline) = (true, long.MaxValue);
        return outcome;
    }
}
