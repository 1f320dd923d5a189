namespace CoAP;

/// <summary>How fresh requests are recognized, and how fresh ours are made (RFC 9175, section 2).</summary>
public sealed record FreshnessSettings
{
    /// <summary>
    /// How long a key makes Echo values before it is replaced; 1 hour by default. It is forgotten after twice that time, and its values with
    /// it: so long can a value prove anything at most.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than a second or more than a week.</exception>
    public TimeSpan KeyLifetime
    {
        get;
        init => field = Bound.Within(value, TimeSpan.FromSeconds(1), TimeSpan.FromDays(7));
    } = TimeSpan.FromHours(1);

    /// <summary>
    /// How long the Echo value that a peer sent last goes along with further requests to it; 1 minute by default, zero for not at all
    /// (RFC 9175, section 2.3). One value is kept per peer that requests are sent to, as long as there is anything else to remember of it.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public TimeSpan EchoMemory { get; init => field = Bound.AtLeast(value, TimeSpan.Zero); } = TimeSpan.FromMinutes(1);
}
