namespace CoAP;

/// <summary>How far the bodies of a request and its response have come.</summary>
/// <param name="Sent">The bytes of the request's body that the peer has taken.</param>
/// <param name="Received">The bytes of the response's body that have arrived, counted from the beginning of the body.</param>
/// <param name="TotalToSend">The length of the request's body, where it is known.</param>
/// <param name="TotalToReceive">The length of the response's body, where the peer says it (Size2, RFC 7959, section 4).</param>
public readonly record struct TransferProgress(long Sent, long Received, long? TotalToSend, long? TotalToReceive);
