namespace CoAP.Exchanges;

/// <summary>What the attributes of a span need to know about the channel of its request.</summary>
/// <param name="Scheme">The scheme of URIs with the transport and the security of the channel.</param>
/// <param name="IsReliable">Whether the transport is reliable.</param>
/// <param name="Settings">What spans contain.</param>
internal readonly record struct SpanContext(string Scheme, bool IsReliable, TelemetrySettings Settings);
