using System.Buffers.Binary;

namespace CoAP.Mesh;

/// <summary>Makes up the IP packets that could have carried a message. Used by one thread at a time.</summary>
internal sealed class PacketBuilder
{
    // A packet with its headers is shorter than 64 KiB, and a message of the usual size is one packet.
    private const int MaxSegment = 32 << 10;
    private const int MaxConnections = 10_000;
    private const byte Udp = 17;
    private const byte Tcp = 6;
    private const int UdpHeader = 8;
    private const int TcpHeader = 20;
    private const ushort PushAndAcknowledge = 0x5018;       // a header of 5 words

    private readonly Dictionary<ChannelKey, Connection> _connections = [];
    private readonly byte[] _packet = new byte[PacketAddresses.MaxHeader + TcpHeader + ushort.MaxValue];
    private ushort _identification;

    /// <summary>Returns the packets. Each is valid until the next one.</summary>
    public IEnumerable<ReadOnlyMemory<byte>> Build(CapturedMessage message)
    {
        var addresses = PacketAddresses.Of(message.Key, message.IsSent);
        if (!message.IsReliable)
        {
            yield return Datagram(addresses, message.Content.Span);
            yield break;
        }
        var connection = ConnectionOf(message.Key);
        for (var start = 0; start < message.Length; start += MaxSegment)
        {
            yield return Segment(addresses, connection, message, start, Math.Min(MaxSegment, message.Length - start));
        }
    }

    private ReadOnlyMemory<byte> Datagram(in PacketAddresses addresses, ReadOnlySpan<byte> content)
    {
        var length = UdpHeader + content.Length;
        var start = addresses.WriteHeader(_packet, Udp, length, ++_identification);
        var udp = _packet.AsSpan(start, length);
        BinaryPrimitives.WriteUInt16BigEndian(udp, addresses.SourcePort);
        BinaryPrimitives.WriteUInt16BigEndian(udp[2..], addresses.DestinationPort);
        BinaryPrimitives.WriteUInt16BigEndian(udp[4..], (ushort)length);
        BinaryPrimitives.WriteUInt16BigEndian(udp[6..], 0);
        content.CopyTo(udp[UdpHeader..]);
        var checksum = addresses.Checksum(udp, Udp);
        BinaryPrimitives.WriteUInt16BigEndian(udp[6..], checksum == 0 ? ushort.MaxValue : checksum);     // 0 stands for no checksum
        return _packet.AsMemory(0, start + length);
    }

    private ReadOnlyMemory<byte> Segment(in PacketAddresses addresses, Connection connection, in CapturedMessage message, int from, int count)
    {
        var length = TcpHeader + count;
        var start = addresses.WriteHeader(_packet, Tcp, length, ++_identification);
        var tcp = _packet.AsSpan(start, length);
        tcp[..TcpHeader].Clear();
        BinaryPrimitives.WriteUInt16BigEndian(tcp, addresses.SourcePort);
        BinaryPrimitives.WriteUInt16BigEndian(tcp[2..], addresses.DestinationPort);
        BinaryPrimitives.WriteUInt32BigEndian(tcp[4..], message.IsSent ? connection.Sent : connection.Received);
        BinaryPrimitives.WriteUInt32BigEndian(tcp[8..], message.IsSent ? connection.Received : connection.Sent);
        BinaryPrimitives.WriteUInt16BigEndian(tcp[12..], PushAndAcknowledge);
        BinaryPrimitives.WriteUInt16BigEndian(tcp[14..], ushort.MaxValue);      // the window
        message.Content.Span.Slice(from, count).CopyTo(tcp[TcpHeader..]);
        BinaryPrimitives.WriteUInt16BigEndian(tcp[16..], addresses.Checksum(tcp, Tcp));
        if (message.IsSent) { connection.Sent += (uint)count; }
        else { connection.Received += (uint)count; }
        return _packet.AsMemory(0, start + length);
    }

    // A capture does not see the ends of connections. When there are too many, all begin again.
    private Connection ConnectionOf(in ChannelKey key)
    {
        if (_connections.TryGetValue(key, out var connection)) { return connection; }
        if (_connections.Count == MaxConnections) { _connections.Clear(); }
        return _connections[key] = new Connection();
    }

    /// <summary>The next sequence numbers of a connection. Messages that were not captured have none, so that the stream has no gaps.</summary>
    private sealed class Connection
    {
        public uint Sent { get; set; } = 1;

        public uint Received { get; set; } = 1;
    }
}
