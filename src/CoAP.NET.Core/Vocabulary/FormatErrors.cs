namespace CoAP;

/// <summary>The texts of format errors.</summary>
internal static class FormatErrors
{
    /// <summary>Returns one sentence with the rule and its section, without a full stop.</summary>
    public static string Describe(this FormatError error) => error switch
    {
        FormatError.Truncated => "The message ends too early (RFC 7252, section 3)",
        FormatError.UnknownVersion => "The version is not 1 (RFC 7252, section 3)",
        FormatError.ReservedTokenLength => "The token length 15 is reserved (RFC 8974, section 2.1)",
        FormatError.EmptyMessageWithContent => "An Empty message has a token or bytes after the message ID (RFC 7252, section 4.1)",
        FormatError.ReservedCodeClass => "The class of the code is reserved (RFC 7252, section 3)",
        FormatError.ReservedOptionNibble => "An option delta or length of 15 is reserved (RFC 7252, section 3.1)",
        FormatError.OptionNumberTooLarge => "The option number exceeds 65,535 (RFC 7252, section 3.1)",
        FormatError.EmptyPayloadAfterMarker => "No payload follows the payload marker (RFC 7252, section 3)",
        FormatError.TrailingBytes => "Bytes follow the announced end of the message (RFC 8323, section 3.2)",
        FormatError.MessageTooLarge => "The message exceeds the size limit (RFC 8323, section 5.3.1)",
        _ => "The message is well-formed",
    };
}
