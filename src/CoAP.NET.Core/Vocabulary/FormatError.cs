namespace CoAP;

/// <summary>What is wrong with the bytes of a message, one member for each clause that they break.</summary>
/// <remarks>Bytes are the peer's: wrong ones are data and not an exception. <c>FormatErrorExtensions</c> tells the reaction on each transport.</remarks>
public enum FormatError
{
    /// <summary>Nothing is wrong.</summary>
    None = 0,

    /// <summary>The bytes end inside the header, the token, an option or a message of known length (RFC 7252, section 3).</summary>
    Truncated,

    /// <summary>The version is not 1 (RFC 7252, section 3).</summary>
    UnknownVersion,

    /// <summary>The token length is the reserved 15 (RFC 8974, section 2.1).</summary>
    ReservedTokenLength,

    /// <summary>An Empty message has a token or bytes behind the message ID (RFC 7252, section 4.1).</summary>
    EmptyMessageWithContent,

    /// <summary>The code's class is one that is reserved, or is signaling where there is none (RFC 7252, section 3; RFC 8323, section 5.1).</summary>
    ReservedCodeClass,

    /// <summary>An option's delta or length is the reserved 15 without being the payload marker (RFC 7252, section 3.1).</summary>
    ReservedOptionNibble,

    /// <summary>The deltas add up to an option number over 65,535 (RFC 7252, section 3.1).</summary>
    OptionNumberTooLarge,

    /// <summary>The payload marker is the last byte (RFC 7252, section 3).</summary>
    EmptyPayloadAfterMarker,

    /// <summary>Bytes follow behind the end that the length announces, where exactly one message was to be read (RFC 8323, section 3.2).</summary>
    TrailingBytes,

    /// <summary>The message is larger than the limit set for the reader (RFC 8323, section 5.3.1).</summary>
    MessageTooLarge,
}
