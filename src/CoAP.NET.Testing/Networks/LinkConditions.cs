namespace CoAP.Testing;

/// <summary>What a network does with the datagrams from one host to another.</summary>
public sealed record LinkConditions
{
    /// <summary>The time from the sender to the receiver. Default: zero.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public TimeSpan Latency { get; init => field = NotNegative(value); }

    /// <summary>The largest random time that is added to <see cref="Latency"/>. With jitter, datagrams may overtake each other. Default: zero.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public TimeSpan Jitter { get; init => field = NotNegative(value); }

    /// <summary>The probability that a datagram is lost, from 0 to 1. Default: 0.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 0 or more than 1.</exception>
    public double Loss { get; init => field = Probability(value); }

    /// <summary>The probability that a datagram arrives twice, from 0 to 1. Default: 0.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 0 or more than 1.</exception>
    public double Duplication { get; init => field = Probability(value); }

    private static TimeSpan NotNegative(TimeSpan value) =>
        value >= TimeSpan.Zero ? value : throw new ArgumentOutOfRangeException(nameof(value), value, "The time must not be negative.");

    private static double Probability(double value) =>
        value is >= 0 and <= 1 ? value : throw new ArgumentOutOfRangeException(nameof(value), value, "A probability is from 0 to 1.");
}
