namespace CoAP.Dtls;

/// <summary>The sizes and times of handshakes.</summary>
internal sealed record HandshakeSettings
{
    /// <summary>The largest datagram of a flight in bytes.</summary>
    public int MaxDatagram { get; init; } = 1152;

    /// <summary>The maximum number of bytes of incomplete messages of the peer. It limits the size of the peer's certificate chain.</summary>
    public int MaxMessageBytes { get; init; } = 1 << 16;

    /// <summary>The time until the first retransmission of a flight (RFC 6347, section 4.2.4.1).</summary>
    public TimeSpan FlightTimeout { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>The number of retransmissions of a flight.</summary>
    public int MaxRetransmissions { get; init; } = 5;
}
