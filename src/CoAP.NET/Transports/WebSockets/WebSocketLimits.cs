namespace CoAP.Transports;

/// <summary>The limits on the messages that WebSockets receive.</summary>
/// <param name="MaxMessageSize">The largest message, in bytes.</param>
/// <param name="MessageTimeout">The time limit for a message, from its first bytes to its last.</param>
/// <param name="Time">The clock.</param>
/// <param name="Budget">The limit on the bytes that all connections of the endpoint hold together.</param>
internal sealed record WebSocketLimits(long MaxMessageSize, TimeSpan MessageTimeout, TimeProvider Time, StreamBudget Budget);
