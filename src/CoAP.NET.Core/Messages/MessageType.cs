namespace CoAP;

/// <summary>The type of a datagram message (RFC 7252, section 3). Messages on reliable transports have none (RFC 8323, section 3.2).</summary>
public enum MessageType : byte
{
    /// <summary>Requires an acknowledgement (CON).</summary>
    Confirmable = 0,

    /// <summary>Requires no acknowledgement (NON).</summary>
    NonConfirmable = 1,

    /// <summary>Acknowledges one confirmable message, with or without a response (ACK).</summary>
    Acknowledgement = 2,

    /// <summary>Rejects a message that the receiver cannot process (RST).</summary>
    Reset = 3,
}
