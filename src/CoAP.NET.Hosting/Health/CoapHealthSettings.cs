namespace CoAP.Hosting;

/// <summary>The settings of the health check of a server.</summary>
/// <remarks>Immutable.</remarks>
public sealed record CoapHealthSettings
{
    /// <summary>The longest time in which every lane must answer a probe. Default: 1 s. It also limits the time of the check.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan LaneTimeout { get; init => field = Positive(value, nameof(LaneTimeout)); } = TimeSpan.FromSeconds(1);

    /// <summary>
    /// The fraction of <see cref="CoapEndpointSettings.MaxPendingRequests"/> or <see cref="CoapEndpointSettings.MaxHandlerQueue"/> above which the server is degraded:
    /// more than 0, at most 1. Default: 0.8.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Not in that range.</exception>
    public double MaxQueueFraction
    {
        get;
        init => field = value is > 0 and <= 1
            ? value
            : throw new ArgumentOutOfRangeException(nameof(MaxQueueFraction), value, "The part of the queue must be more than 0 and at most 1.");
    } = 0.8;

    /// <summary>The remaining validity of the certificates of TLS and DTLS below which the server is degraded. Default: 14 days.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan CertificateWarning { get; init => field = Positive(value, nameof(CertificateWarning)); } = TimeSpan.FromDays(14);

    private static TimeSpan Positive(TimeSpan value, string name)
    {
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(value, TimeSpan.Zero, name);
        return value;
    }
}
