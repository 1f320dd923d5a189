namespace CoAP.Transports;

/// <summary>
/// The peer sends what the transport must not accept. The connection can still send, so the peer learns the reason in an Abort (RFC 8323,
/// section 5.6).
/// </summary>
internal sealed class InputRefusedException(string reason) : IOException(reason);
