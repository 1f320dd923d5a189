namespace CoAP;

/// <summary>The schemes of CoAP URIs, which determine transport and security (RFC 7252, section 6; RFC 8323, section 8).</summary>
public enum CoapScheme
{
    /// <summary>"coap": UDP, port 5683 (RFC 7252, section 6.1).</summary>
    Coap,

    /// <summary>"coaps": UDP with DTLS, port 5684 (RFC 7252, section 6.2).</summary>
    Coaps,

    /// <summary>"coap+tcp": TCP, port 5683 (RFC 8323, section 8.1).</summary>
    CoapTcp,

    /// <summary>"coaps+tcp": TCP with TLS, port 5684 (RFC 8323, section 8.2).</summary>
    CoapsTcp,

    /// <summary>"coap+ws": WebSockets, port 80 (RFC 8323, section 8.3).</summary>
    CoapWs,

    /// <summary>"coaps+ws": WebSockets with TLS, port 443 (RFC 8323, section 8.4).</summary>
    CoapsWs,
}
