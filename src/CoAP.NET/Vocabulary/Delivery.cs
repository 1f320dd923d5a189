namespace CoAP;

/// <summary>What is known of a request that no response was wanted to (RFC 7967).</summary>
/// <param name="IsAcknowledged">Whether the server has it for sure: it was sent as confirmable, over datagrams. Over a connection and for a
/// non-confirmable request nothing comes back.</param>
/// <param name="Response">The response, where the server sent one along with the acknowledgement because it does not know the option.</param>
public sealed record Delivery(bool IsAcknowledged, CoapResponse? Response);
