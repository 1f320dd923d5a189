using System.Buffers.Binary;

namespace CoAP.Dtls;

/// <summary>Messages that are sent and retransmitted together (RFC 6347, section 4.2.4). Each transmission uses new record numbers.</summary>
internal sealed class Flight(IReadOnlyList<HandshakeOutput> messages)
{
    /// <summary>Returns the first handshake message of a type.</summary>
    public ReadOnlySpan<byte> Find(HandshakeType type) =>
        messages.FirstOrDefault(one => one.Type == ContentType.Handshake && one.Content[0] == (byte)type).Content;

    /// <summary>Returns the datagrams of the flight. Messages are split into records, and each datagram contains as many records as fit.</summary>
    /// <param name="writer">Numbers and protects the records.</param>
    /// <param name="maxDatagram">The largest datagram in bytes.</param>
    /// <param name="maxContent">The longest content of a record that the peer accepts, in bytes.</param>
    public IEnumerable<ReadOnlyMemory<byte>> Write(FlightWriter writer, int maxDatagram, int maxContent)
    {
        // A peer that asks for short records may have no room for longer datagrams.
        maxDatagram = Math.Min(maxDatagram, maxContent + DtlsRecord.HeaderLength);
        var datagram = new byte[maxDatagram];
        var length = 0;
        foreach (var (type, epoch, content) in messages)
        {
            var most = maxDatagram - writer.OverheadOf(epoch);
            foreach (var part in type == ContentType.Handshake ? Cut(content, most) : [content])
            {
                if (length + writer.OverheadOf(epoch) + part.Length > maxDatagram)
                {
                    yield return datagram.AsMemory(0, length);
                    (datagram, length) = (new byte[maxDatagram], 0);
                }
                length += writer.Write(type, epoch, part, datagram.AsSpan(length));
            }
        }
        if (length > 0) { yield return datagram.AsMemory(0, length); }
    }

    /// <summary>Splits a message into fragments with headers of their own (RFC 6347, section 4.2.3).</summary>
    /// <param name="message">The message with its header.</param>
    /// <param name="maxContent">The longest fragment with its header, in bytes.</param>
    public static IEnumerable<byte[]> Cut(byte[] message, int maxContent)
    {
        if (message.Length <= maxContent)
        {
            yield return message;
            yield break;
        }
        var (body, most) = (message.Length - HandshakeHeader.Size, maxContent - HandshakeHeader.Size);
        for (var at = 0; at < body; at += most)
        {
            var count = Math.Min(most, body - at);
            var part = new byte[HandshakeHeader.Size + count];
            new HandshakeHeader((HandshakeType)message[0], body, BinaryPrimitives.ReadUInt16BigEndian(message.AsSpan(4)), at, count).Write(part);
            message.AsSpan(HandshakeHeader.Size + at, count).CopyTo(part.AsSpan(HandshakeHeader.Size));
            yield return part;
        }
    }
}
