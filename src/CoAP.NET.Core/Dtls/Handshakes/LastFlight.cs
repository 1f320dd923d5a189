using System.Buffers.Binary;

namespace CoAP.Dtls;

/// <summary>
/// The last flight of a handshake. Its sender keeps it, because the peer retransmits its own flight until it has received this one (RFC 6347,
/// section 4.2.4).
/// </summary>
/// <remarks>Servers keep many of them, so the messages are in one array: each with its type, its epoch and its length before it.</remarks>
internal sealed class LastFlight
{
    private const int EpochAt = 1, LengthAt = 3, HeadLength = 7;

    private readonly byte[] _messages;
    private long _sentAt;

    /// <param name="messages">The messages.</param>
    /// <param name="sentAt">The time at which they were sent first.</param>
    public LastFlight(IReadOnlyList<HandshakeOutput> messages, long sentAt)
    {
        _sentAt = sentAt;
        _messages = new byte[messages.Sum(static one => HeadLength + one.Content.Length)];
        var at = 0;
        foreach (var (type, epoch, content) in messages)
        {
            var message = _messages.AsSpan(at, HeadLength + content.Length);
            message[0] = (byte)type;
            BinaryPrimitives.WriteUInt16LittleEndian(message[EpochAt..], epoch);
            BinaryPrimitives.WriteInt32LittleEndian(message[LengthAt..], content.Length);
            content.CopyTo(message[HeadLength..]);
            at += message.Length;
        }
    }

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
        ReadOnlyMemory<byte>[] datagrams = [.. new Flight([.. Messages()]).Write(writer, settings.MaxDatagram, session.MaxContent)];
        NextPlain = writer.NextPlain;
        return datagrams;
    }

    private IEnumerable<HandshakeOutput> Messages()
    {
        for (var at = 0; at < _messages.Length;)
        {
            var length = BinaryPrimitives.ReadInt32LittleEndian(_messages.AsSpan(at + LengthAt));
            yield return new((ContentType)_messages[at], BinaryPrimitives.ReadUInt16LittleEndian(_messages.AsSpan(at + EpochAt)), _messages[(at + HeadLength)..(at + HeadLength + length)]);
            at += HeadLength + length;
        }
    }
}
