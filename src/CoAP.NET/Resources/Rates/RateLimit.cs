using System.Diagnostics.CodeAnalysis;

namespace CoAP;

/// <summary>How many requests a client may send in a time. One more gets 4.29 with the time to wait in Max-Age (RFC 8516).</summary>
/// <remarks>
/// Immutable. Each account (<see cref="Account"/>) has a limit of its own. The /56 around an IPv6 address may send twice as much, and the /48 four times as
/// much. A request with a body in blocks counts once. An unverified address gets a 4.01 with Echo instead of 4.29, because its requests may be forged.
/// </remarks>
public sealed record RateLimit
{
    private readonly int? _burst;

    /// <summary>The number of requests in <see cref="Per"/>.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public required int Requests { get; init => field = Bound.AtLeast(value, 1); }

    /// <summary>The time in which an account may send <see cref="Requests"/>. Default: 1 s.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive, or longer than 24 hours.</exception>
    public TimeSpan Per { get; init => field = Bound.Within(value, TimeSpan.FromTicks(1), TimeSpan.FromHours(24)); } = TimeSpan.FromSeconds(1);

    /// <summary>The number of requests that an account may send at once after a pause. Default: <see cref="Requests"/>.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int Burst { get => _burst ?? Requests; init => _burst = Bound.AtLeast(value, 1); }
}
