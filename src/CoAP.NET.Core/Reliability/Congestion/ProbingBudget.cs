namespace CoAP.Reliability;

/// <summary>Enforces PROBING_RATE towards an endpoint that does not respond (RFC 7252, section 4.7).</summary>
/// <remarks>
/// A token bucket that drains only while the endpoint is silent. Any message from the endpoint fills the bucket, so that peers that answer are
/// not slowed down. A message may be sent if the bucket is not empty and may leave it in debt: with 1 byte per second, no bucket would ever
/// contain a whole message. The average rate is still kept. A mutable structure. A field of this type must not be readonly.
/// </remarks>
/// <param name="rate">The rate in bytes per second.</param>
/// <param name="burst">The number of bytes that may be sent before the first answer.</param>
internal struct ProbingBudget(double rate, int burst)
{
    private readonly double _ticksPerByte = TimeSpan.TicksPerSecond / rate;
    private readonly long _burst = (long)(burst * (TimeSpan.TicksPerSecond / rate));
    private long _paidUntil = long.MinValue;

    /// <summary>Returns whether a message may be sent now, and charges for it.</summary>
    /// <param name="bytes">The length of the message.</param>
    /// <param name="now">The time.</param>
    /// <param name="retryAt">The time at which it may be sent if the endpoint stays silent.</param>
    public bool TryTake(int bytes, long now, out long retryAt)
    {
        var paidUntil = Math.Max(now, _paidUntil);
        retryAt = Math.Max(now, paidUntil - Math.Max(_burst - 1, 0));
        if (retryAt > now) { return false; }
        _paidUntil = paidUntil + (long)(bytes * _ticksPerByte);
        return true;
    }

    /// <summary>Called when the endpoint has sent anything.</summary>
    public void Heard() => _paidUntil = long.MinValue;
}
