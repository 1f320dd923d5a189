namespace CoAP.Blockwise;

/// <summary>Decides when to send which block of a body: in sets of MAX_PAYLOADS, and as the receiver requests (RFC 9177, section 7.2).</summary>
/// <remarks>
/// <list type="bullet">
/// <item>After a set, it waits for NON_TIMEOUT_RANDOM. With a Continue, the next set starts immediately.</item>
/// <item>Missing blocks are sent before the rest of the current set, but at most MAX_PAYLOADS in NON_TIMEOUT_RANDOM, however often they are requested.</item>
/// <item>A Continue for a set that was sent long ago means that nothing of it arrived: it is sent again. Otherwise it crossed the set.</item>
/// <item>A server that has sent two sets stops if it has heard nothing for NON_MAX_RETRANSMIT times NON_RECEIVE_TIMEOUT. A client that still wants the body
/// requests the missing blocks within that time.</item>
/// <item>More than NON_MAX_RETRANSMIT repetitions per block and set, or NON_PARTIAL_TIMEOUT of silence: the body is given up.</item>
/// </list>
/// </remarks>
/// <param name="count">The number of blocks of the body.</param>
/// <param name="settings">The times.</param>
/// <param name="now">The time.</param>
/// <param name="chance">A random number from 0 to 1 that extends NON_TIMEOUT to NON_TIMEOUT_RANDOM.</param>
/// <param name="first">The first block to send unrequested; <paramref name="count"/> to send requested blocks only.</param>
internal sealed class BlockPacing(int count, RobustTransferSettings settings, long now, double chance, int first = 0)
{
    private readonly SortedSet<int> _again = [];
    private readonly long _delay = settings.NonTimeoutRandom(chance);
    private long _resumeAt;
    private long _againAt;              // the time at which repetitions are allowed again
    private long _setSentAt;
    private long _heardAt = now;
    private int _next = first;
    private int _heardAtBlock = first;  // the value of _next when the receiver was last heard
    private int _setEnd = Math.Min(settings.EndOfSet(first), count);
    private int _allowance;
    private int _repetitionsLeft =
        (int)Math.Min((count + (long)settings.MaxPayloads) * Math.Max(settings.NonMaxRetransmit, 1), int.MaxValue);

    public int Count => count;

    /// <summary>Whether the receiver must send something from time to time.</summary>
    public bool NeedsRequests { get; init; }

    /// <summary>Whether each block was sent and none must be repeated.</summary>
    public bool HasSentAll => _next == Count && _again.Count == 0;

    /// <summary>The time of the next poll; in the past while there is something to send.</summary>
    public long Deadline
    {
        get
        {
            if (IsOver) { return long.MaxValue; }
            return Math.Min(NextAt, GiveUpAt);
        }
    }

    /// <summary>Returns whether there is a block to send now.</summary>
    public bool IsDue(long now) => !IsOver && now >= NextAt;

    public bool IsOver { get; private set; }

    private long NextAt
    {
        get
        {
            if (_again.Count > 0 && _allowance > 0 || _next < _setEnd) { return long.MinValue; }
            return Math.Min(_again.Count > 0 ? _againAt : long.MaxValue, _next < Count && !IsUnheard ? _resumeAt : long.MaxValue);
        }
    }

    // Whether the next set waits until the receiver is heard again.
    private bool IsUnheard => NeedsRequests && _next - _heardAtBlock >= 2 * settings.MaxPayloads
        && _resumeAt - _heardAt >= settings.NonReceiveTimeout.Ticks * settings.NonMaxRetransmit;

    private long GiveUpAt => _heardAt + settings.NonPartialTimeout.Ticks;

    /// <summary>Returns the next block to send now, until there is none.</summary>
    /// <param name="now">The time.</param>
    /// <param name="number">The block.</param>
    /// <param name="wasAskedFor">Whether the receiver has requested it.</param>
    public bool TryNext(long now, out int number, out bool wasAskedFor)
    {
        (number, wasAskedFor) = (-1, false);
        if (IsOver) { return false; }
        if (_again.Count > 0 && TryRepeat(now, out number)) { return wasAskedFor = true; }
        if (_next == Count || (_next == _setEnd && IsUnheard))
        {
            IsOver |= now >= GiveUpAt;
            return false;
        }
        if (_next == _setEnd)
        {
            if (now < _resumeAt || IsOver) { return false; }
            _setEnd = Math.Min(_setEnd + settings.MaxPayloads, Count);
        }
        number = _next++;
        if (_next == Count) { _heardAt = Math.Max(_heardAt, now); }
        if (_next == _setEnd) { (_setSentAt, _resumeAt) = (now, now + _delay); }
        return true;
    }

    /// <summary>Called when the receiver has all blocks before this one.</summary>
    public void Continue(int next, long now)
    {
        if (next <= 0 || next > _next) { return; }
        Heard(now);
        _again.RemoveWhere(number => number < next);
        if (next == _setEnd)
        {
            _resumeAt = now;
            return;
        }
        if (_next == _setEnd && now - _setSentAt >= settings.NonTimeout.Ticks)
        {
            var end = Math.Min(next + settings.MaxPayloads, Count);
            _repetitionsLeft -= end - next;
            (_next, _setEnd) = (next, end);
            IsOver = _repetitionsLeft < 0;
        }
    }

    /// <summary>Sends the blocks from this one on unrequested.</summary>
    public void StartFrom(int first, long now)
    {
        _next = Math.Min(first, Count);
        Heard(now);
        _setEnd = Math.Min(settings.EndOfSet(first), Count);
    }

    /// <summary>Called when the receiver requests blocks. Blocks that were not sent yet are sent in their turn.</summary>
    public void Missing(ReadOnlySpan<int> numbers, long now)
    {
        Heard(now);
        Repeat(numbers[..Math.Min(numbers.Length, settings.MaxPayloads)].ToArray().Where(number => number >= 0 && number < _next), now);
    }

    /// <summary>Sends the last block again, because the response to the whole body may be lost.</summary>
    public void RepeatLast(long now) => Repeat([Count - 1], now);

    private void Heard(long now) => (_heardAt, _heardAtBlock) = (now, _next);

    private void Repeat(IEnumerable<int> numbers, long now)
    {
        foreach (var number in numbers)
        {
            if (_again.Count < settings.MaxPayloads) { _again.Add(number); }
        }
        Renew(now);
    }

    private bool TryRepeat(long now, out int number)
    {
        number = -1;
        Renew(now);
        if (_allowance == 0) { return false; }
        if (_repetitionsLeft <= 0)
        {
            IsOver = true;
            return false;
        }
        _allowance--;
        _repetitionsLeft--;
        number = _again.Min;
        _again.Remove(number);
        if (_again.Count == 0 && _next == _setEnd) { _resumeAt = now + _delay; }
        return true;
    }

    private void Renew(long now)
    {
        if (now < _againAt) { return; }
        (_allowance, _againAt) = (settings.MaxPayloads, now + _delay);
    }
}
