namespace CoAP;

/// <summary>The signaling codes of reliable transports (RFC 8323, section 5).</summary>
public static class SignalCode
{
    /// <summary>7.01: capabilities and settings; the first message on a connection.</summary>
    public static CoapCode Csm => new(7, 1);

    /// <summary>7.02: asks for a Pong.</summary>
    public static CoapCode Ping => new(7, 2);

    /// <summary>7.03: answers a Ping.</summary>
    public static CoapCode Pong => new(7, 3);

    /// <summary>7.04: asks the peer to close the connection in an orderly way.</summary>
    public static CoapCode Release => new(7, 4);

    /// <summary>7.05: closes the connection immediately because of an error.</summary>
    public static CoapCode Abort => new(7, 5);
}
