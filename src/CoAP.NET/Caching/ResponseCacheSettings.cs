namespace CoAP;

/// <summary>How much a <see cref="ResponseCache"/> keeps.</summary>
public sealed record ResponseCacheSettings
{
    /// <summary>The stored responses; 1,024 by default. The one that was used least recently makes room.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public int MaxEntries { get; init => field = Bound.AtLeast(value, 0); } = 1024;

    /// <summary>The bytes of all stored responses with their keys; 16 MiB by default. A larger response is not stored.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public long MaxBytes { get; init => field = Bound.AtLeast(value, 0); } = 16 * 1024 * 1024;

    /// <summary>The clock; the system's by default.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
