namespace CoAP.Serialization;

/// <summary>What becomes of a message of which only the header is there.</summary>
internal enum FrameFate : byte
{
    /// <summary>Read it.</summary>
    Accept,

    /// <summary>A request: read the token, skip the rest and answer 4.13, with our limit in Size1 (RFC 7252, section 5.9.2.9).</summary>
    SkipAndAnswerTooLarge,

    /// <summary>A response or an Empty message: skip it. The exchange that the response was for fails.</summary>
    Skip,

    /// <summary>Abort the connection with the diagnostic.</summary>
    Abort,
}

/// <summary>The fate of a message and, for <see cref="FrameFate.Abort"/>, the diagnostic.</summary>
internal readonly record struct FrameVerdict(FrameFate Fate, string? Diagnostic = null);
