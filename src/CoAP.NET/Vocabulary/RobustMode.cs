namespace CoAP;

/// <summary>Selects whether bodies are sent in sets of non-confirmable blocks (RFC 9177) or in one confirmable block after another (RFC 7959).</summary>
public enum RobustMode
{
    /// <summary>Bodies are always sent as in RFC 7959.</summary>
    Off,

    /// <summary>RFC 9177 if the peer supports it, otherwise RFC 7959. A confirmable request detects the support, and the result is remembered.</summary>
    /// <remarks>
    /// Applies to bodies in memory over datagrams. Each body counts as one request against NSTART. Use it on slow or lossy paths and with trusted
    /// peers only (RFC 9177, section 3.2).
    /// </remarks>
    WhenSupported,
}
