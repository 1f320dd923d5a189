namespace CoAP.Signaling;

/// <summary>Whether a message may be sent, as to its size (RFC 8323, section 5.3.1).</summary>
internal enum SendVerdict : byte
{
    /// <summary>It fits.</summary>
    Now,

    /// <summary>It is over the base value, and the peer has not yet said what it takes.</summary>
    WaitForCsm,

    /// <summary>The peer does not take it.</summary>
    TooLarge,
}
