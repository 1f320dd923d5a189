using CoAP.Accounting;

namespace CoAP.Transports;

/// <summary>The limits on the messages that WebSockets receive.</summary>
/// <param name="MaxMessageSize">The largest message, in bytes.</param>
/// <param name="MessageTimeout">The time limit for a message, from its first bytes to its last.</param>
/// <param name="Time">The clock.</param>
/// <param name="Ledger">Records the bytes that the peers hold.</param>
internal sealed record WebSocketLimits(long MaxMessageSize, TimeSpan MessageTimeout, TimeProvider Time, Ledger Ledger)
{
    /// <summary>
    /// The size in bytes above which a message ends the connection. A smaller one above <see cref="MaxMessageSize"/> is skipped, as over
    /// TCP.
    /// </summary>
    public long AbortAboveSize { get; init; } = long.MaxValue;

    /// <summary>Returns the charge for one WebSocket.</summary>
    public WebSocketCharge ChargeOf(in PeerIdentity peer, PeerCredentials? credentials) =>
        new(Ledger.Input, Ledger.AccountOf(peer, credentials, isVerified: true));
}
