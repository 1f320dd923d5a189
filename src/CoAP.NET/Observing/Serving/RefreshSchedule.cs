namespace CoAP.Observing;

/// <summary>
/// When a representation is refreshed although nothing has changed, so that it does not expire (RFC 7641, section 4.3.1). Spreads the notifications of a
/// refresh over an eighth of Max-Age. The other seven eighths begin at a random time, so that representations do not expire together.
/// </summary>
/// <remarks>A mutable structure. A field of this type must not be readonly. Times are ticks of 100 ns.</remarks>
internal struct RefreshSchedule()
{
    private static readonly long Shortest = TimeSpan.FromSeconds(1).Ticks;
    private static readonly long Slot = TimeSpan.FromMilliseconds(20).Ticks;

    private bool _isAged;
    private long _began;
    private long _window;
    private long _visited;

    /// <summary>The time of the next refresh; <see cref="long.MaxValue"/> if there is none.</summary>
    public long At { get; private set; } = long.MaxValue;

    /// <summary>Whether the notifications of a refresh are being spread.</summary>
    public readonly bool IsSpreading => _window > 0;

    /// <summary>Plans the next refresh.</summary>
    /// <param name="now">The time.</param>
    /// <param name="age">Max-Age in ticks; <see langword="null"/> if the representation may expire.</param>
    /// <param name="random">Selects the time.</param>
    public void Plan(long now, long? age, Random random) =>
        At = age is { } ticks ? now + Math.Max(Shortest, (5 * (ticks / 8)) + random.NextInt64((ticks / 8) + 1)) : long.MaxValue;

    /// <summary>Called when the deadline of the representation has come, for a refresh or to try something again.</summary>
    public void OnDeadline(long now) => _isAged |= now >= At;

    /// <summary>Called when the resource has changed. Changes are not spread.</summary>
    public void OnChanged() => _isAged = false;

    /// <summary>Returns whether the next call of the handler is for a refresh.</summary>
    public bool TakeAged()
    {
        var isAged = _isAged;
        _isAged = false;
        return isAged;
    }

    /// <summary>Begins to notify the observers: of a refresh in the given time, of a change at once.</summary>
    public void Begin(long now, long age, bool isAged) => (_began, _window, _visited) = (now, isAged ? Math.Max(1, age / 8) : 0, 0);

    /// <summary>Returns whether the next observer may be notified now.</summary>
    /// <param name="now">The time.</param>
    /// <param name="count">The number of observers.</param>
    /// <param name="retryAt">If not, the time at which it may.</param>
    public bool TryVisit(long now, int count, out long retryAt)
    {
        retryAt = now;
        // Observers that come and go are visited again, but do not delay the others beyond the window.
        if (_window == 0 || now - _began >= _window) { return true; }
        var share = (Int128)count * (now - _began) / _window;
        if (_visited > share)
        {
            retryAt = now + Math.Max(Slot, _window / Math.Max(1, count));
            return false;
        }
        _visited++;
        return true;
    }

    /// <summary>Called when all observers have been visited.</summary>
    public void End() => _window = 0;
}
