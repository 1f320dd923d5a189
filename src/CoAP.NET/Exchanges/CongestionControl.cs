namespace CoAP;

/// <summary>How the time before the first retransmission of a confirmable message is found (RFC 7252, section 4.7).</summary>
public enum CongestionControl
{
    /// <summary>ACK_TIMEOUT as it is set, lengthened by chance (RFC 7252, section 4.2).</summary>
    Fixed,

    /// <summary>
    /// By the round trips measured to each peer: CoCoA (draft-ietf-core-cocoa). ACK_TIMEOUT until something was measured; MAX_TRANSMIT_SPAN and
    /// MAX_TRANSMIT_WAIT hold all the same. A request with transmission parameters of its own keeps to them.
    /// </summary>
    Adaptive,
}
