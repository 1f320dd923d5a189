namespace CoAP.Transports;

/// <summary>A connection could not be secured.</summary>
internal sealed class TlsHandshakeException(TlsFailure failure, string message, Exception? innerException = null) : IOException(message, innerException)
{
    public TlsFailure Failure => failure;
}
