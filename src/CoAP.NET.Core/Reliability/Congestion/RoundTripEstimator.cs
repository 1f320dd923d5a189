namespace CoAP.Reliability;

/// <summary>Estimates the round-trip time to one peer and the time to wait for its acknowledgements (CoCoA, draft-ietf-core-cocoa, section 4).</summary>
/// <remarks>
/// Two estimators of RFC 6298 run side by side. The strong one learns from messages that were acknowledged after a single transmission, the weak
/// one from messages that were sent two or three times, for which the first transmission counts. Each of them updates the common estimate:
/// <code>
/// RTO := 0.5 E_strong + 0.5 RTO        RTO := 0.25 E_weak + 0.75 RTO
/// </code>
/// An estimate that is not refreshed ages towards 2 seconds, which is computed at its next use. All times in ticks.
/// </remarks>
internal sealed class RoundTripEstimator(long initialTimeout)
{
    // With a shorter timeout, a peer that acknowledges by its own timer would be given up too early (0.1 + 0.3 + 0.9 + 2.7 + 8.1 s is 12.1 s).
    private static readonly long Shortest = TimeSpan.FromMilliseconds(100).Ticks;
    private static readonly long Longest = TimeSpan.FromSeconds(60).Ticks;

    // The accuracy with which a lane wakes up (RFC 6298, section 2, G).
    private static readonly long Granularity = TimeSpan.FromMilliseconds(1).Ticks;

    private Average _strong;
    private Average _weak;
    private long _timeout = initialTimeout;
    private long _changedAt;
    private bool _isBlind = true;

    /// <summary>The smoothed round-trip time, without retransmissions if possible, or <see langword="null"/> before the first measurement.</summary>
    public long? RoundTrip => _strong.HasValue ? _strong.RoundTrip : _weak.HasValue ? _weak.RoundTrip : null;

    /// <summary>Returns the time to wait for an acknowledgement, without the random factor.</summary>
    /// <param name="now">The time.</param>
    /// <param name="parallel">The number of exchanges in progress, including this one. Without an estimate, the wait is multiplied by it (section 4.1).</param>
    public long Timeout(long now, int parallel)
    {
        if (_isBlind) { return Math.Min(_timeout * Math.Max(parallel, 1), Math.Max(Longest, _timeout)); }
        Age(now);
        return Math.Max(_timeout, Shortest);
    }

    /// <summary>Called when a confirmable message was acknowledged.</summary>
    /// <param name="now">The time.</param>
    /// <param name="roundTrip">The time since its first transmission.</param>
    /// <param name="retransmissions">The number of retransmissions. More than two are not used.</param>
    public void OnAcknowledged(long now, long roundTrip, int retransmissions)
    {
        if (retransmissions > 2) { return; }
        if (!_isBlind) { Age(now); }
        var timeout = retransmissions == 0
            ? (_strong.Add(roundTrip, deviations: 4) + _timeout) / 2
            : (_weak.Add(roundTrip, deviations: 1) + (3 * _timeout)) / 4;
        _timeout = Math.Min(timeout, Longest);
        (_changedAt, _isBlind) = (now, false);
    }

    // Section 4.3: a short estimate doubles after 16 times its length; a long one moves halfway to 2 s after 4 times its length.
    private void Age(long now)
    {
        while (true)
        {
            var isShort = _timeout < TimeSpan.TicksPerSecond;
            if (!isShort && _timeout <= 3 * TimeSpan.TicksPerSecond) { return; }
            var patience = Math.Max(_timeout, Granularity) * (isShort ? 16 : 4);
            if (now - _changedAt < patience) { return; }
            _changedAt += patience;
            _timeout = isShort ? Math.Max(_timeout, Granularity) * 2 : TimeSpan.TicksPerSecond + (_timeout / 2);
        }
    }

    /// <summary>An estimator (RFC 6298, section 2).</summary>
    private struct Average
    {
        private long _deviation;

        public bool HasValue { get; private set; }

        public long RoundTrip { get; private set; }

        /// <summary>Adds a measurement and returns the resulting timeout.</summary>
        public long Add(long measured, int deviations)
        {
            if (HasValue)
            {
                _deviation = ((3 * _deviation) + Math.Abs(RoundTrip - measured)) / 4;
                RoundTrip = ((7 * RoundTrip) + measured) / 8;
            }
            else
            {
                (HasValue, RoundTrip, _deviation) = (true, measured, measured / 2);
            }
            return RoundTrip + Math.Max(Granularity, deviations * _deviation);
        }
    }
}
