using CoAP.Lanes;

namespace CoAP.Mesh;

/// <summary>The default of the longest time for which a request of an endpoint makes no progress.</summary>
internal static class IdleTimeout
{
    private static readonly TimeSpan Shortest = TimeSpan.FromSeconds(100);
    private static readonly TimeSpan Margin = TimeSpan.FromSeconds(10);

    /// <summary>Returns a time that is longer than each wait for a single event.</summary>
    /// <param name="parameters">The transmission parameters.</param>
    /// <param name="responseTimeout">The longest wait for a response, if the user has set it.</param>
    /// <param name="messageIdWait">The longest wait for a message ID.</param>
    /// <param name="messageTimeout">The longest time that a message over a connection takes.</param>
    public static TimeSpan DefaultOf(TransmissionParameters parameters, TimeSpan? responseTimeout, TimeSpan messageIdWait, TimeSpan messageTimeout)
    {
        var transmission = parameters.MaxTransmitWait;
        TimeSpan[] waits =
        [
            Shortest,
            Sum(transmission, Margin),
            Sum(transmission, responseTimeout ?? TimeSpan.Zero),
            Sum(messageIdWait, Margin),
            Sum(messageTimeout, Margin),
        ];
        return waits.Max();
    }

    private static TimeSpan Sum(TimeSpan one, TimeSpan other) => TimeSpan.FromTicks(LaneTimes.Later(one.Ticks, other.Ticks));
}
