namespace CoAP.Serialization;

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
