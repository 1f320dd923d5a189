namespace CoAP;

/// <summary>The event that a call was waiting for when its deadline passed.</summary>
public enum AwaitedEvent
{
    /// <summary>The response to the request.</summary>
    Response,

    /// <summary>The acknowledgement of the request (RFC 7252, section 4.2).</summary>
    Acknowledgement,

    /// <summary>The address of the server, a connection to it, or its first message.</summary>
    Connection,

    /// <summary>The turn of the request, while other requests to the peer were outstanding (RFC 7252, section 4.7, NSTART).</summary>
    Turn,

    /// <summary>The next bytes of a body.</summary>
    Body,

    /// <summary>The caller's own stream.</summary>
    Caller,

    /// <summary>The end of the handshake with a security layer, such as DTLS. The request was not sent yet, or is waiting for a new session.</summary>
    Handshake,
}
