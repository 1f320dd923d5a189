namespace CoAP.Dtls;

/// <summary>
/// The last flight of a handshake. Its sender keeps it, because the peer retransmits its own flight until it has received this one (RFC 6347,
/// section 4.2.4).
/// </summary>
/// <param name="messages">The messages.</param>
/// <param name="sentAt">The time at which they were sent first.</param>
internal sealed class LastFlight(IReadOnlyList<HandshakeOutput> messages, long sentAt)
{
    private long _sentAt = sentAt;

    /// <summary>The number of the next plain record.</summary>
    public RecordNumber NextPlain { get; set; }

    /// <summary>
    /// Returns the datagrams of the flight, to be sent again. Called when the peer has retransmitted its own flight. Returns nothing if less than half of the
    /// flight timeout has passed since the last transmission.
    /// </summary>
    public IReadOnlyList<ReadOnlyMemory<byte>> Repeat(DtlsSession session, IRecordCipher cipher, HandshakeSettings settings, long now)
    {
        if (now - _sentAt < settings.FlightTimeout.Ticks / 2) { return []; }
        _sentAt = now;
        var writer = new FlightWriter(cipher, NextPlain) { Session = session };
        ReadOnlyMemory<byte>[] datagrams = [.. new Flight(messages).Write(writer, settings.MaxDatagram, session.MaxContent)];
        NextPlain = writer.NextPlain;
        return datagrams;
    }
}
