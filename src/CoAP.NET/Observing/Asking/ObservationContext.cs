using System.Diagnostics;
using CoAP.Runtimes;

namespace CoAP.Observing;

/// <summary>The part of an observation that moves from one channel to the next. Owned by one lane or by the connector at a time.</summary>
/// <param name="Feed">The notifications.</param>
/// <param name="Connector">Finds the next channel.</param>
/// <param name="Settings">The settings of the client.</param>
internal sealed record ObservationContext(ObservationFeed Feed, ObservationConnector Connector, ClientObservationSettings Settings)
{
    public Subscription Subscription { get; } = new(Settings.Timing);

    /// <summary>The start of the reading as a timestamp of the clock. The times of lanes have different origins.</summary>
    public long StartedAt { get; init; }

    /// <summary>The current span of the reader when the reading started; <see langword="default"/> if there was none. It is the parent of registrations.</summary>
    public ActivityContext Caller { get; init; }

    /// <summary>The token, the same for all registrations (RFC 7641, section 3.3.1).</summary>
    public required Token Token { get; set; }

    /// <summary>
    /// The start of the first body of a notification, as a timestamp of the clock; <see langword="null"/> if there was none. A server must not keep the
    /// reader waiting by a new connection for each attempt.
    /// </summary>
    public long? FirstBodyAt { get; set; }

    /// <summary>Ends the observation. Only the first call has an effect. Called from any thread.</summary>
    public void Leave(ObservationEnd reason)
    {
        Feed.End(reason);
        Connector.Leave(reason);
    }

    public static Token NewToken(EndpointRuntime runtime)
    {
        var bytes = new byte[Token.InlineLength];
        runtime.FillRandom(bytes);
        return new Token(bytes);
    }
}
