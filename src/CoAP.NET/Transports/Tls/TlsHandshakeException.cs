namespace CoAP.Transports;

/// <summary>Thrown when a TLS handshake fails.</summary>
internal sealed class TlsHandshakeException(TlsFailure failure, string message, Exception? innerException = null) : IOException(message, innerException)
{
    /// <summary>The part of the handshake that failed.</summary>
    public TlsFailure Failure => failure;
}
