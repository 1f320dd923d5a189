namespace CoAP;

/// <summary>The format rule that the bytes of a message violate.</summary>
/// <remarks>Malformed bytes come from the peer, so they are reported as a value and not as an exception.</remarks>
public enum FormatError
{
    /// <summary>The bytes are correct.</summary>
    None = 0,

    /// <summary>The bytes end inside the header, the token, an option or a message of known length (RFC 7252, section 3).</summary>
    Truncated,

    /// <summary>The version is not 1 (RFC 7252, section 3).</summary>
    UnknownVersion,

    /// <summary>The token length is the reserved value 15 (RFC 8974, section 2.1).</summary>
    ReservedTokenLength,

    /// <summary>An Empty message has a token or bytes after the message ID (RFC 7252, section 4.1).</summary>
    EmptyMessageWithContent,

    /// <summary>The class of the code is reserved, or the transport does not carry signaling (RFC 7252, section 3; RFC 8323, section 5.1).</summary>
    ReservedCodeClass,

    /// <summary>The delta or length of an option is the reserved value 15, and the byte is not the payload marker (RFC 7252, section 3.1).</summary>
    ReservedOptionNibble,

    /// <summary>The deltas add up to an option number above 65,535 (RFC 7252, section 3.1).</summary>
    OptionNumberTooLarge,

    /// <summary>The payload marker is the last byte (RFC 7252, section 3).</summary>
    EmptyPayloadAfterMarker,

    /// <summary>Bytes follow the announced end of the message where exactly one message was expected (RFC 8323, section 3.2).</summary>
    TrailingBytes,

    /// <summary>The message exceeds the size limit of the reader (RFC 8323, section 5.3.1).</summary>
    MessageTooLarge,
}
