namespace CoAP.Dtls;

/// <summary>
/// The flight that has ended a handshake. Its sender keeps it, because the peer repeats its own flight if it has not received this one (RFC 6347,
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
    /// Returns the datagrams of the flight when the peer has repeated its own. Returns nothing if that was sooner than half of the first timeout after the last
    /// time.
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
