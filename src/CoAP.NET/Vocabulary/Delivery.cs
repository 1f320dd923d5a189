namespace CoAP;

/// <summary>The outcome of a request that needs no response (RFC 7967).</summary>
/// <param name="IsAcknowledged">Whether the server has confirmed that it received the request. Usually <see langword="false"/> over
/// connections and for non-confirmable requests, because the server sends nothing back.</param>
/// <param name="Response">The response, if the server does not support the option and sent one with the acknowledgement; otherwise
/// <see langword="null"/>.</param>
public sealed record Delivery(bool IsAcknowledged, CoapResponse? Response);
