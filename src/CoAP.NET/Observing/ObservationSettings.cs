using CoAP.Observing;

namespace CoAP;

/// <summary>How this endpoint observes resources of its peers (RFC 7641, section 3).</summary>
/// <remarks>Immutable; safe defaults.</remarks>
public sealed record ObservationSettings
{
    /// <summary>The notifications that are kept for a slow reader, 1 by default: only the newest state matters. Older ones are skipped and counted.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 or more than 65,536.</exception>
    public int KeepNewest { get; init => field = Bound.Within(value, 1, 65_536); } = 1;

    /// <summary>
    /// Whether leaving sends a request with Observe 1, so by default. Otherwise the observation is forgotten and the next notification rejected
    /// with a Reset (RFC 7641, section 3.6). On connections the request is always sent (RFC 8323, section 7.4).
    /// </summary>
    public bool DeregistersOnLeave { get; init; } = true;

    /// <summary>
    /// The longest that a server may be silent before it is asked again, whatever Max-Age it gives; 25 hours by default, because servers confirm
    /// every 24 hours that the client is there (RFC 7641, section 4.5).
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan LongestSilence { get; init => field = Bound.Positive(value); } = TimeSpan.FromHours(25);

    /// <summary>The shortest random wait after Max-Age before registering again; 5 seconds by default (RFC 7641, section 3.3.1).</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan LeastWaitAfterMaxAge { get; init => field = Bound.Positive(value); } = TimeSpan.FromSeconds(5);

    /// <summary>The longest random wait after Max-Age before registering again; 15 seconds by default (RFC 7641, section 3.3.1).</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan MostWaitAfterMaxAge { get; init => field = Bound.Positive(value); } = TimeSpan.FromSeconds(15);

    /// <summary>The least time between two registrations, however short Max-Age is, so that observing never turns into polling; 20 seconds by default.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan RegistrationInterval { get; init => field = Bound.Positive(value); } = TimeSpan.FromSeconds(20);

    /// <summary>The nominal wait after a registration again has failed, or a connection has ended; 10 seconds by default. It doubles with each further failure.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan FirstRetry { get; init => field = Bound.Positive(value); } = TimeSpan.FromSeconds(10);

    /// <summary>Where the doubling of <see cref="FirstRetry"/> ends; 5 minutes by default. Tried for as long as somebody reads.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan LongestRetry { get; init => field = Bound.Positive(value); } = TimeSpan.FromMinutes(5);

    /// <summary>Where a client's observations are kept, to be taken up again after a restart; nowhere by default.</summary>
    public ISubscriptionStore? Store { get; init; }

    internal SubscriptionTiming Timing => new()
    {
        LongestSilence = LongestSilence.Ticks,
        LeastWait = LeastWaitAfterMaxAge.Ticks,
        MostWait = Math.Max(LeastWaitAfterMaxAge.Ticks, MostWaitAfterMaxAge.Ticks),
        RegistrationInterval = RegistrationInterval.Ticks,
        FirstRetry = FirstRetry.Ticks,
        LongestRetry = Math.Max(FirstRetry.Ticks, LongestRetry.Ticks),
    };
}
