namespace CoAP.Serialization;

/// <summary>What each format error means and what follows from it.</summary>
internal static class FormatErrorExtensions
{
    /// <summary>
    /// The reaction to a datagram: an unknown version is ignored (RFC 7252, section 3), so are malformed NON, ACK and RST
    /// (sections 4.2 and 4.3); a malformed CON is rejected with a Reset (section 4.2).
    /// </summary>
    public static MessageReaction OnDatagram(this FormatError error, MessageType type) =>
        error != FormatError.UnknownVersion && type == MessageType.Confirmable ? MessageReaction.Reset : MessageReaction.Ignore;

    /// <summary>The reaction to the bytes of a datagram; one that is too short to have a message ID cannot be rejected.</summary>
    public static MessageReaction OnDatagram(this FormatError error, ReadOnlySpan<byte> datagram) =>
        datagram.Length < DatagramHeader.Length ? MessageReaction.Ignore : error.OnDatagram(DatagramHeader.ReadType(datagram));

    /// <summary>The reaction on a reliable transport: nothing can be skipped once the framing is in doubt (RFC 8323, section 5.6).</summary>
    public static MessageReaction OnStream(this FormatError error) =>
        error == FormatError.MessageTooLarge ? MessageReaction.AnswerTooLarge : MessageReaction.Abort;

    /// <summary>One sentence with the rule and its section.</summary>
    public static string Describe(this FormatError error) => error switch
    {
        FormatError.Truncated => "The message ends too early (RFC 7252, section 3)",
        FormatError.UnknownVersion => "The version is not 1 (RFC 7252, section 3)",
        FormatError.ReservedTokenLength => "A token length of 15 is reserved (RFC 8974, section 2.1)",
        FormatError.EmptyMessageWithContent => "An Empty message has a token or bytes behind the message ID (RFC 7252, section 4.1)",
        FormatError.ReservedCodeClass => "The code's class is reserved (RFC 7252, section 3)",
        FormatError.ReservedOptionNibble => "An option delta or length of 15 is reserved (RFC 7252, section 3.1)",
        FormatError.OptionNumberTooLarge => "The option number is over 65,535 (RFC 7252, section 3.1)",
        FormatError.EmptyPayloadAfterMarker => "No payload follows the payload marker (RFC 7252, section 3)",
        FormatError.TrailingBytes => "Bytes follow behind the announced end of the message (RFC 8323, section 3.2)",
        FormatError.MessageTooLarge => "The message is larger than the limit (RFC 8323, section 5.3.1)",
        _ => "The message is well-formed",
    };
}

/// <summary>What the receiver of a malformed message does.</summary>
internal enum MessageReaction
{
    /// <summary>Drop it without a word.</summary>
    Ignore,

    /// <summary>Answer a Reset with the same message ID (RFC 7252, section 4.2).</summary>
    Reset,

    /// <summary>Send an Abort and close the connection (RFC 8323, section 5.6).</summary>
    Abort,

    /// <summary>Answer 4.13 and skip the body (RFC 8323, section 5.3.1).</summary>
    AnswerTooLarge,
}
