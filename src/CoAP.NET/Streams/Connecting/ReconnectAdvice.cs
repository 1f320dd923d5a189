namespace CoAP.Streams;

/// <summary>The advice of a Release message about the next connection (RFC 8323, section 5.5).</summary>
/// <param name="AlternativeAddresses">The addresses to connect to instead, in order of preference.</param>
/// <param name="HoldOff">The time during which the client should not connect to the same address again.</param>
/// <param name="ReceivedAt">The time of the message, a timestamp of the settings' clock.</param>
internal sealed record ReconnectAdvice(IReadOnlyList<string> AlternativeAddresses, TimeSpan HoldOff, long ReceivedAt);
