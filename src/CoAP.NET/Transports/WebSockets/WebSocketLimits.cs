namespace CoAP.Transports;

/// <summary>What is taken of the messages of WebSockets.</summary>
/// <param name="MaxMessageSize">The bytes of a message at the most.</param>
/// <param name="MessageTimeout">How long one may take from its first bytes to its last.</param>
/// <param name="Time">The clock.</param>
/// <param name="Budget">What the connections of the endpoint may hold together.</param>
internal sealed record WebSocketLimits(long MaxMessageSize, TimeSpan MessageTimeout, TimeProvider Time, StreamBudget Budget);
