namespace CoAP.Signaling;

/// <summary>The decision whether a message may be sent, by its size (RFC 8323, section 5.3.1).</summary>
internal enum SendVerdict : byte
{
    /// <summary>The message fits.</summary>
    Now,

    /// <summary>The message exceeds the base value, and the CSM of the peer has not arrived.</summary>
    WaitForCsm,

    /// <summary>The peer does not accept a message of this size.</summary>
    TooLarge,
}
