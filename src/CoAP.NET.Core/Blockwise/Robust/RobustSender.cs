namespace CoAP.Blockwise;

/// <summary>Says which block of a body goes out when: sets of MAX_PAYLOADS, and what the receiver says in between (RFC 9177, section 7.2).</summary>
/// <remarks>
/// <list type="bullet">
/// <item>After a set, NON_TIMEOUT_RANDOM passes, unless a Continue comes: then the next set begins at once.</item>
/// <item>Missing blocks go before the rest of the current set, MAX_PAYLOADS at most in NON_TIMEOUT_RANDOM: who asks again and again gets no more.</item>
/// <item>A Continue for a set that went out long ago says that nothing of it arrived: it goes again. A younger one crossed the set on its way.</item>
/// <item>More repetitions than NON_MAX_RETRANSMIT for each block and set, or NON_PARTIAL_TIMEOUT without a word: the body is given up.</item>
/// </list>
/// </remarks>
internal sealed class RobustSender
{
    private readonly RobustTransferSettings _settings;
    private readonly SortedSet<int> _again = [];
    private readonly long _delay;
    private long _resumeAt;
    private long _againAt;              // a new allowance of repetitions
    private long _setSentAt;
    private long _heardAt;
    private int _next;
    private int _setEnd;
    private int _allowance;
    private int _repetitionsLeft;

    /// <param name="count">How many blocks the body has.</param>
    /// <param name="settings">The times.</param>
    /// <param name="now">The time.</param>
    /// <param name="chance">0 to 1, lengthens NON_TIMEOUT to NON_TIMEOUT_RANDOM.</param>
    /// <param name="first">The first block that goes by itself; <paramref name="count"/> where only those go that are asked for.</param>
    public RobustSender(int count, RobustTransferSettings settings, long now, double chance, int first = 0)
    {
        (Count, _settings, _heardAt) = (count, settings, now);
        _delay = settings.NonTimeoutRandom(chance);
        _next = first;
        _setEnd = Math.Min(first - (first % settings.MaxPayloads) + settings.MaxPayloads, count);
        _repetitionsLeft = (int)Math.Min((count + (long)settings.MaxPayloads) * Math.Max(settings.NonMaxRetransmit, 1), int.MaxValue);
    }

    public int Count { get; }

    /// <summary>Whether each block has gone out once, and nothing has to go again.</summary>
    public bool HasSentAll => _next == Count && _again.Count == 0;

    /// <summary>When to poll again. In the past while there is something to send.</summary>
    public long Deadline
    {
        get
        {
            if (IsOver) { return long.MaxValue; }
            if (_again.Count > 0 && _allowance > 0 || _next < _setEnd) { return long.MinValue; }
            var next = Math.Min(_again.Count > 0 ? _againAt : long.MaxValue, _next < Count ? _resumeAt : long.MaxValue);
            return Math.Min(next, GiveUpAt);
        }
    }

    public bool IsOver { get; private set; }

    private long GiveUpAt => _heardAt + _settings.NonPartialTimeout.Ticks;

    /// <summary>The block that goes out now, one after another until there is none.</summary>
    /// <param name="now">The time.</param>
    /// <param name="number">The block.</param>
    /// <param name="wasAskedFor">Whether it goes because the receiver misses it.</param>
    public bool TryNext(long now, out int number, out bool wasAskedFor)
    {
        (number, wasAskedFor) = (-1, false);
        if (IsOver) { return false; }
        if (_again.Count > 0 && TryRepeat(now, out number)) { return wasAskedFor = true; }
        if (_next == Count)
        {
            IsOver |= now >= GiveUpAt;
            return false;
        }
        if (_next == _setEnd)
        {
            if (now < _resumeAt || IsOver) { return false; }
            _setEnd = Math.Min(_setEnd + _settings.MaxPayloads, Count);
        }
        number = _next++;
        if (_next == Count) { _heardAt = Math.Max(_heardAt, now); }
        if (_next == _setEnd) { (_setSentAt, _resumeAt) = (now, now + _delay); }
        return true;
    }

    /// <summary>The receiver has everything before this block.</summary>
    public void Continue(int next, long now)
    {
        if (next <= 0 || next > _next) { return; }
        _heardAt = now;
        _again.RemoveWhere(number => number < next);
        if (next == _setEnd)
        {
            _resumeAt = now;
            return;
        }
        if (_next == _setEnd && now - _setSentAt >= _settings.NonTimeout.Ticks)
        {
            var end = Math.Min(next + _settings.MaxPayloads, Count);
            _repetitionsLeft -= end - next;
            (_next, _setEnd) = (next, end);
            IsOver = _repetitionsLeft < 0;
        }
    }

    /// <summary>From this block on they go by themselves.</summary>
    public void StartFrom(int first, long now)
    {
        (_heardAt, _next) = (now, Math.Min(first, Count));
        _setEnd = Math.Min(first - (first % _settings.MaxPayloads) + _settings.MaxPayloads, Count);
    }

    /// <summary>The receiver asks for blocks; those that have not gone out yet come in their turn anyway.</summary>
    public void Missing(ReadOnlySpan<int> numbers, long now)
    {
        _heardAt = now;
        Repeat(numbers[..Math.Min(numbers.Length, _settings.MaxPayloads)].ToArray().Where(number => number >= 0 && number < _next), now);
    }

    /// <summary>Sends the last block again, because the answer to the whole body may be lost.</summary>
    public void RepeatLast(long now) => Repeat([Count - 1], now);

    private void Repeat(IEnumerable<int> numbers, long now)
    {
        foreach (var number in numbers)
        {
            if (_again.Count < _settings.MaxPayloads) { _again.Add(number); }
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
        (_allowance, _againAt) = (_settings.MaxPayloads, now + _delay);
    }
}
