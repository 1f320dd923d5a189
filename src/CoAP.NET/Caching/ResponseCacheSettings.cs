namespace CoAP;

/// <summary>The limits of a <see cref="ResponseCache"/>.</summary>
public sealed record ResponseCacheSettings
{
    private static readonly TimeSpan LongestErrorAge = TimeSpan.FromHours(24);

    /// <summary>The largest number of stored responses. Default: 1,024. A further response replaces the least recently used one.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public int MaxEntries { get; init => field = Bound.AtLeast(value, 0); } = 1024;

    /// <summary>The bytes of all stored responses and their keys. Default: 16 MiB. A single larger response is not stored.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public long MaxBytes { get; init => field = Bound.AtLeast(value, 0); } = 16 * 1024 * 1024;

    /// <summary>
    /// The longest time for which an error is reused. Default: 5 min. A peer that sends a larger Max-Age with an error could otherwise keep
    /// the client away for 136 years. With zero, errors are not stored.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative, or longer than 24 hours.</exception>
    public TimeSpan MaxErrorAge { get; init => field = Bound.Within(value, TimeSpan.Zero, LongestErrorAge); } = TimeSpan.FromMinutes(5);

    /// <summary>The clock. Default: <see cref="TimeProvider.System"/>.</summary>
    public TimeProvider TimeProvider { get; init => field = Bound.NotNull(value); } = TimeProvider.System;
}
