using System.Security.Cryptography;

namespace CoAP.Observing;

/// <summary>What an observation takes with it from one channel to the next. Belongs to one lane, or to its connector, at a time.</summary>
internal sealed class ObservationContext(ObservationFeed feed, ObservationConnector connector, ObservationSettings settings, Token token, long startedAt)
{
    public ObservationFeed Feed => feed;

    public ObservationConnector Connector => connector;

    public ObservationSettings Settings => settings;

    public Subscription Subscription { get; } = new(settings.Timing);

    /// <summary>Kept over all registrations (RFC 7641, section 3.3.1).</summary>
    public Token Token { get; set; } = token;

    /// <summary>When it began, in timestamps of the clock: lanes count from different origins.</summary>
    public long StartedAt => startedAt;

    public static Token NewToken() => new(RandomNumberGenerator.GetBytes(Token.InlineLength));
}
