namespace CoAP;

/// <summary>Selects the time before the first retransmission of a confirmable message (RFC 7252, section 4.7).</summary>
public enum CongestionMode
{
    /// <summary>ACK_TIMEOUT, multiplied by a random factor between 1 and ACK_RANDOM_FACTOR (RFC 7252, section 4.2).</summary>
    Fixed,

    /// <summary>
    /// A timeout estimated from the round-trip times measured to each peer: CoCoA (draft-ietf-core-cocoa). ACK_TIMEOUT applies until a round trip
    /// has been measured. MAX_TRANSMIT_SPAN and MAX_TRANSMIT_WAIT still hold. A request with its own transmission parameters uses those.
    /// </summary>
    Adaptive,
}
