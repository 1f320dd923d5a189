namespace CoAP;

/// <summary>The kind of a datagram message (RFC 7252, section 3). Reliable transports have no types (RFC 8323, section 3.2).</summary>
public enum MessageType : byte
{
    /// <summary>A message that asks for an acknowledgement (CON).</summary>
    Confirmable = 0,

    /// <summary>A message that asks for no acknowledgement (NON).</summary>
    NonConfirmable = 1,

    /// <summary>The acknowledgement of one confirmable message, with or without a response in it (ACK).</summary>
    Acknowledgement = 2,

    /// <summary>The answer to a message that could not be made sense of (RST).</summary>
    Reset = 3,
}
