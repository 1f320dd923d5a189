namespace CoAP.Observing;

/// <summary>When a client asks again, in ticks of 100 ns.</summary>
internal sealed record SubscriptionTiming
{
    /// <summary>The longest that a server may be silent, whatever Max-Age it gives.</summary>
    public required long LongestSilence { get; init; }

    /// <summary>The shortest random wait after Max-Age (RFC 7641, section 3.3.1).</summary>
    public required long LeastWait { get; init; }

    /// <summary>The longest random wait after Max-Age.</summary>
    public required long MostWait { get; init; }

    /// <summary>The least time between two registrations that nothing went wrong with.</summary>
    public required long RegistrationInterval { get; init; }

    /// <summary>The wait after the first failure; it doubles with each further one.</summary>
    public required long FirstRetry { get; init; }

    /// <summary>Where the doubling ends.</summary>
    public required long LongestRetry { get; init; }
}
