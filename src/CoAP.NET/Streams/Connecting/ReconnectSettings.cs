namespace CoAP;

/// <summary>How a client spaces its attempts to connect where they fail, so that a server that is down, or comes up again, is not overrun.</summary>
/// <remarks>
/// An attempt has failed where no connection came about, or one that ended before it lived for <see cref="StableAfter"/> and before the peer said
/// anything but signals. The wait doubles with each failure in a row and is drawn between half and all of that; whatever else becomes of a
/// connection ends the row. Of one endpoint and scheme; callers at the same time share one attempt. Immutable; safe defaults.
/// </remarks>
public sealed record ReconnectSettings
{
    /// <summary>The nominal wait after a first failure; 100 ms by default.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan FirstWait { get; init => field = Bound.Positive(value); } = TimeSpan.FromMilliseconds(100);

    /// <summary>Where the doubling of <see cref="FirstWait"/> ends; 30 s by default. A failure is forgotten when that much time passed after its wait.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive, or over 24 days.</exception>
    public TimeSpan LongestWait { get; init => field = Bound.TimerTime(value); } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// How far away the next attempt may be for a request to wait for it; 10 s by default. Where it is further away the request fails at once, with
    /// <see cref="CoapTransportException.RetryAfter"/>; with zero each one does that comes too early.
    /// </summary>
    /// <remarks>
    /// Waiting is the default because most waits are short: a server that restarts is not noticed then. It has a bound because nobody is helped by a
    /// request that hangs until it fails, and 10 s is what the opening of a connection may take anyway (<see cref="TcpSettings.ConnectTimeout"/>).
    /// Whoever has less time says so with the token of the request.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public TimeSpan Patience { get; init => field = Bound.AtLeast(value, TimeSpan.Zero); } = TimeSpan.FromSeconds(10);

    /// <summary>How long a connection on which the peer says nothing has to live to count as none that failed; 5 s by default.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public TimeSpan StableAfter { get; init => field = Bound.AtLeast(value, TimeSpan.Zero); } = TimeSpan.FromSeconds(5);

    /// <summary>The endpoints whose failures are remembered; 1,024 by default. For one more, the one whose wait is over first is forgotten.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxRemembered { get; init => field = Bound.AtLeast(value, 1); } = 1024;
}
