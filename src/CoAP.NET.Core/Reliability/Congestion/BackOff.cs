namespace CoAP.Reliability;

/// <summary>The growth of the waits of a <see cref="Retransmission"/>, and its end. Times in ticks.</summary>
/// <param name="Halves">Twice the factor between two waits.</param>
/// <param name="LongestWait">The longest wait after the first one.</param>
/// <param name="GiveUpAfter">The latest end, counted from the first transmission.</param>
internal readonly record struct BackOff(int Halves, long LongestWait, long GiveUpAfter)
{
    // CoCoA truncates the back-off here (draft-ietf-core-cocoa, section 4.2.1).
    private static readonly long Truncation = TimeSpan.FromSeconds(32).Ticks;

    /// <summary>Each wait is twice the one before it (RFC 7252, section 4.2).</summary>
    public static BackOff Binary { get; } = new(4, long.MaxValue, long.MaxValue);

    /// <summary>
    /// Returns a back-off by a factor of three after a short first wait, to leave time for a peer that acknowledges by its own timer, and of one and a
    /// half after a long one, to leave time for all retransmissions (draft-ietf-core-cocoa, section 4.2.1).
    /// </summary>
    /// <param name="timeout">The estimate that the first wait is based on.</param>
    /// <param name="parameters">Their MAX_TRANSMIT_WAIT limits the total time.</param>
    public static BackOff Variable(long timeout, TransmissionParameters parameters)
    {
        var halves = timeout < TimeSpan.TicksPerSecond ? 6 : timeout > 3 * TimeSpan.TicksPerSecond ? 3 : 4;
        return new(halves, Truncation, parameters.MaxTransmitWait.Ticks);
    }
}
