using System.Diagnostics.CodeAnalysis;

namespace CoAP;

/// <summary>The waits between attempts to connect after failures. They protect a server that is down or restarting.</summary>
/// <remarks>
/// An attempt fails if no connection is established. It also counts as failed if the connection ends before <see cref="StableAfter"/> and the peer
/// has sent only signals. The wait doubles with each failure in a row, and is a random time between half of that and all of it. A connection that does
/// not count as failed resets the wait. Each endpoint and scheme has its own waits, and concurrent callers share one attempt. Immutable.
/// </remarks>
[Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
public sealed record ReconnectSettings
{
    /// <summary>The nominal wait after the first failure. Default: 100 ms.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan InitialDelay { get; init => field = Bound.Positive(value); } = TimeSpan.FromMilliseconds(100);

    /// <summary>The upper limit of the doubled wait. Default: 30 s. A failure is forgotten when this much time has passed after its wait.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive, or more than 24 days.</exception>
    public TimeSpan MaxDelay { get; init => field = Bound.TimerTime(value); } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// The longest time that a request waits for the next attempt. Default: 10 s. If the attempt is later, the request fails at once with
    /// <see cref="CoapTransportException.RetryAfter"/>. With zero, every request before the attempt fails.
    /// </summary>
    /// <remarks>
    /// Most waits are short, so requests do not notice the restart of a server. The limit keeps requests from waiting for a server that is down.
    /// To wait for a shorter time, cancel the token of the request. Opening a connection has its own limit (<see cref="TcpSettings.ConnectTimeout"/>).
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public TimeSpan MaxRequestWait { get; init => field = Bound.AtLeast(value, TimeSpan.Zero); } = TimeSpan.FromSeconds(10);

    /// <summary>The time after which a connection no longer counts as failed, even if the peer has sent only signals. Default: 5 s.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public TimeSpan StableAfter { get; init => field = Bound.AtLeast(value, TimeSpan.Zero); } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// Whether the client follows an Alternative-Address that names another host (RFC 8323, section 5.5). Default: <see langword="false"/>. The client
    /// then follows it only to another port of the same address, or over TLS to the same name. The transport never changes. Over TLS, the certificate
    /// must have the name of the original host.
    /// </summary>
    public bool AllowsOtherHosts { get; init; }

    /// <summary>The number of endpoints whose failures are remembered. Default: 1,024. One more replaces the endpoint whose wait ends first.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxRememberedEndpoints { get; init => field = Bound.AtLeast(value, 1); } = 1024;
}
