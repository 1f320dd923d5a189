namespace CoAP.Reliability;

/// <summary>Keeps to PROBING_RATE towards one endpoint that does not respond (RFC 7252, section 4.7).</summary>
/// <remarks>
/// A token bucket that only drains while the endpoint is silent: whatever it sends fills the bucket up again, so that peers that answer
/// are not slowed down. A message passes as soon as the bucket is not empty and may leave it in debt, because at 1 byte a second no bucket
/// would ever hold a whole message; over time the rate is kept all the same. A mutable structure: keep it in a field that is not read-only.
/// </remarks>
internal struct ProbingBudget
{
    private readonly double _ticksPerByte;
    private readonly long _burst;
    private long _paidUntil;

    /// <param name="rate">Bytes per second.</param>
    /// <param name="burst">How many bytes may go out at once before the first answer.</param>
    public ProbingBudget(double rate, int burst)
    {
        _ticksPerByte = TimeSpan.TicksPerSecond / rate;
        _burst = (long)(burst * _ticksPerByte);
        _paidUntil = long.MinValue;
    }

    /// <summary>Whether a message may be sent now; it is then charged for.</summary>
    /// <param name="bytes">Its length.</param>
    /// <param name="now">The time.</param>
    /// <param name="retryAt">From when on it may be sent if the endpoint stays silent.</param>
    public bool TryTake(int bytes, long now, out long retryAt)
    {
        var paidUntil = Math.Max(now, _paidUntil);
        retryAt = Math.Max(now, paidUntil - Math.Max(_burst - 1, 0));
        if (retryAt > now) { return false; }
        _paidUntil = paidUntil + (long)(bytes * _ticksPerByte);
        return true;
    }

    /// <summary>The endpoint has sent something, whatever it was.</summary>
    public void Heard() => _paidUntil = long.MinValue;
}
