namespace CoAP.Reliability;

/// <summary>How the waits of a <see cref="Retransmission"/> grow, and when it ends at the latest. Times in ticks.</summary>
/// <param name="Halves">Twice the factor from one wait to the next.</param>
/// <param name="LongestWait">What no wait but the first exceeds.</param>
/// <param name="GiveUpAfter">The time from the first transmission to the end, if the waits are not over before.</param>
internal readonly record struct BackOff(int Halves, long LongestWait, long GiveUpAfter)
{
    // The draft of CoCoA truncates the back-off there (draft-ietf-core-cocoa, section 4.2.1).
    private static readonly long Truncation = TimeSpan.FromSeconds(32).Ticks;

    /// <summary>Each wait is twice the one before (RFC 7252, section 4.2).</summary>
    public static BackOff Binary { get; } = new(4, long.MaxValue, long.MaxValue);

    /// <summary>
    /// Three times after a short first wait, so that it is not all over before a peer acknowledges by its own timer; one and a half times
    /// after a long one, so that there is time for all retransmissions (draft-ietf-core-cocoa, section 4.2.1).
    /// </summary>
    /// <param name="timeout">The estimate that the first wait is drawn from.</param>
    /// <param name="parameters">Their MAX_TRANSMIT_WAIT bounds the whole.</param>
    public static BackOff Variable(long timeout, TransmissionParameters parameters)
    {
        var halves = timeout < TimeSpan.TicksPerSecond ? 6 : timeout > 3 * TimeSpan.TicksPerSecond ? 3 : 4;
        return new(halves, Truncation, parameters.MaxTransmitWait.Ticks);
    }
}
