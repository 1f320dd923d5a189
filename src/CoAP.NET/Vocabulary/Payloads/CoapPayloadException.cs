namespace CoAP;

/// <summary>
/// A payload could not be read as a value of the expected type. If a handler throws this exception for the payload of its request, the response is 4.00
/// (Bad Request) with the message as problem details (RFC 9290).
/// </summary>
public sealed class CoapPayloadException : CoapException
{
    /// <summary>Creates an error.</summary>
    /// <param name="message">What is wrong with the payload. It is sent to the peer, so it must not contain secrets.</param>
    /// <param name="offset">The offset of the error from the start of the payload, in bytes; <see langword="null"/> if it is not known.</param>
    /// <param name="innerException">The cause.</param>
    public CoapPayloadException(string message, long? offset = null, Exception? innerException = null)
        : base(message, innerException) => Offset = offset;

    /// <summary>The offset of the error from the start of the payload, in bytes; <see langword="null"/> if it is not known.</summary>
    public long? Offset { get; }

    /// <summary>Whether the payload is that of a response, so that the exception is not the fault of a client.</summary>
    internal bool IsOfResponse { get; init; }
}
