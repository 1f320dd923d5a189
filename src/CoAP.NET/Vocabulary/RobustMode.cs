namespace CoAP;

/// <summary>Whether bodies go in sets of non-confirmable blocks (RFC 9177) instead of one confirmable block after the other (RFC 7959).</summary>
public enum RobustMode
{
    /// <summary>Never.</summary>
    Off,

    /// <summary>Where the peer supports it, which is found out by a confirmable request and remembered; otherwise RFC 7959.</summary>
    /// <remarks>
    /// For bodies in memory over datagrams. Each body is subject to NSTART as one request. It is meant for paths that are slow or lose much; the
    /// peer should be trusted (RFC 9177, section 3.2).
    /// </remarks>
    WhenSupported,
}
