using CoAP.Lanes;

namespace CoAP.Mesh;

/// <summary>The default of <see cref="CoapEndpointSettings.RequestIdleTimeout"/>.</summary>
internal static class IdleTimeout
{
    private static readonly TimeSpan Shortest = TimeSpan.FromSeconds(100);
    private static readonly TimeSpan Margin = TimeSpan.FromSeconds(10);

    /// <summary>Returns a time that is longer than each wait for a single event.</summary>
    /// <param name="settings">The settings of the endpoint.</param>
    /// <param name="responseTimeout">The longest wait for a response, if the user has set it.</param>
    public static TimeSpan DefaultOf(CoapEndpointSettings settings, TimeSpan? responseTimeout)
    {
        var transmission = settings.Transmission.MaxTransmitWait;
        TimeSpan[] waits =
        [
            Shortest,
            Sum(transmission, Margin),
            Sum(transmission, responseTimeout ?? TimeSpan.Zero),
            Sum(settings.MaxMessageIdWait, Margin),
            Sum(settings.Stream.MessageTimeout, Margin),
        ];
        return waits.Max();
    }

    private static TimeSpan Sum(TimeSpan one, TimeSpan other) => TimeSpan.FromTicks(LaneTimes.Later(one.Ticks, other.Ticks));
}
