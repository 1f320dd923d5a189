namespace CoAP;

/// <summary>The progress of a transfer.</summary>
/// <param name="Sent">The number of bytes of the request body that the peer has accepted.</param>
/// <param name="Received">The number of bytes of the response body that have arrived, counted from the beginning of the body.</param>
/// <param name="TotalToSend">The length of the request body, in bytes; <see langword="null"/> if it is not known.</param>
/// <param name="TotalToReceive">The length of the response body, in bytes; <see langword="null"/> if the peer does not announce it
/// (Size2, RFC 7959, section 4).</param>
public readonly record struct TransferProgress(long Sent, long Received, long? TotalToSend, long? TotalToReceive);
