namespace CoAP.Observing;

/// <summary>The times at which a client registers again, in ticks of 100 ns.</summary>
internal sealed record SubscriptionTiming
{
    /// <summary>The longest silence of the server, regardless of Max-Age.</summary>
    public required long NotificationTimeout { get; init; }

    /// <summary>The shortest random wait after Max-Age (RFC 7641, section 3.3.1).</summary>
    public required long MinRegistrationDelay { get; init; }

    /// <summary>The longest random wait after Max-Age.</summary>
    public required long MaxRegistrationDelay { get; init; }

    /// <summary>The shortest time between two registrations without a failure.</summary>
    public required long MinRegistrationInterval { get; init; }

    /// <summary>The wait after the first failure. It doubles with each further one.</summary>
    public required long InitialRetryDelay { get; init; }

    /// <summary>The longest wait.</summary>
    public required long MaxRetryDelay { get; init; }
}
