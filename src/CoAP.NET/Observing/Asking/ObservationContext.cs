using System.Security.Cryptography;

namespace CoAP.Observing;

/// <summary>The part of an observation that moves from one channel to the next. Owned by one lane or by the connector at a time.</summary>
internal sealed class ObservationContext(ObservationFeed feed, ObservationConnector connector, ClientObservationSettings settings, Token token, long startedAt)
{
    public ObservationFeed Feed => feed;

    public ObservationConnector Connector => connector;

    public ClientObservationSettings Settings => settings;

    public Subscription Subscription { get; } = new(settings.Timing);

    /// <summary>The token, the same for all registrations (RFC 7641, section 3.3.1).</summary>
    public Token Token { get; set; } = token;

    /// <summary>The start of the observation as a timestamp of the clock. The times of lanes have different origins.</summary>
    public long StartedAt => startedAt;

    public static Token NewToken() => new(RandomNumberGenerator.GetBytes(Token.InlineLength));
}
