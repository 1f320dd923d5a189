namespace CoAP.Serialization;

/// <summary>The action that follows from the header of a message.</summary>
internal enum FrameAction : byte
{
    /// <summary>Read the message.</summary>
    Accept,

    /// <summary>A request: read the token, skip the rest and answer 4.13 with our limit in Size1 (RFC 7252, section 5.9.2.9).</summary>
    SkipAndAnswerTooLarge,

    /// <summary>A response or an Empty message: skip it. The exchange of the response fails.</summary>
    Skip,

    /// <summary>Abort the connection with the diagnostic.</summary>
    Abort,
}

/// <summary>A decision about a message, with the diagnostic for <see cref="FrameAction.Abort"/>.</summary>
internal readonly record struct FrameVerdict(FrameAction Action, string? Diagnostic = null);
