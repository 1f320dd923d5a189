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
    private const ushort Synchronize = 0x6002;              // a header of 6 words
    private const ushort SynchronizeAndAcknowledge = 0x6012;
    private const uint WindowScale = 0x0103030E;            // padding and the option: the window counts units of 2^14 bytes (RFC 7323, section 2.2)
    private const uint SequenceDistance = 2654435761;       // distributes initial sequence numbers over all 2^32 values

    private readonly Dictionary<ChannelKey, LinkedListNode<Connection>> _connections = [];
    private readonly LinkedList<Connection> _byUse = new(); // the one that was used last is at the end
    private readonly byte[] _packet = new byte[PacketAddresses.MaxHeader + TcpHeader + ushort.MaxValue];
    private ushort _identification;
    private uint _initial;          // the sequence number of the next SYN

    /// <summary>Returns the number of packets of a message, without those that begin a connection.</summary>
    public static int CountOf(int length, bool isReliable) => isReliable ? (length + MaxSegment - 1) / MaxSegment : 1;

    /// <summary>Returns the packets, and whether each was sent. Each is valid until the next one.</summary>
    public IEnumerable<(ReadOnlyMemory<byte> Packet, bool IsSent)> Build(CapturedMessage message)
    {
        if (!message.IsReliable)
        {
            yield return (Datagram(PacketAddresses.Of(message.Key, message.IsSent), message.Content.Span), message.IsSent);
            yield break;
        }
        if (!TryUse(message.Key, out var connection))
        {
            // Without these, a reader takes the ports of an earlier connection for a continuation of it.
            yield return (Segment(connection, message.IsClient, Synchronize, default), message.IsClient);
            yield return (Segment(connection, !message.IsClient, SynchronizeAndAcknowledge, default), !message.IsClient);
        }
        for (var start = 0; start < message.Length; start += MaxSegment)
        {
            var content = message.Content.Slice(start, Math.Min(MaxSegment, message.Length - start));
            yield return (Segment(connection, message.IsSent, PushAndAcknowledge, content.Span), message.IsSent);
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

    private ReadOnlyMemory<byte> Segment(Connection connection, bool isSent, ushort lengthAndFlags, ReadOnlySpan<byte> content)
    {
        var addresses = PacketAddresses.Of(connection.Key, isSent);
        var isBeginning = lengthAndFlags != PushAndAcknowledge;
        var header = TcpHeader + (isBeginning ? sizeof(uint) : 0);
        var start = addresses.WriteHeader(_packet, Tcp, header + content.Length, ++_identification);
        var tcp = _packet.AsSpan(start, header + content.Length);
        tcp[..header].Clear();
        BinaryPrimitives.WriteUInt16BigEndian(tcp, addresses.SourcePort);
        BinaryPrimitives.WriteUInt16BigEndian(tcp[2..], addresses.DestinationPort);
        BinaryPrimitives.WriteUInt32BigEndian(tcp[4..], isSent ? connection.Sent : connection.Received);
        if (lengthAndFlags != Synchronize) { BinaryPrimitives.WriteUInt32BigEndian(tcp[8..], isSent ? connection.Received : connection.Sent); }
        BinaryPrimitives.WriteUInt16BigEndian(tcp[12..], lengthAndFlags);
        BinaryPrimitives.WriteUInt16BigEndian(tcp[14..], ushort.MaxValue);      // the window
        if (isBeginning) { BinaryPrimitives.WriteUInt32BigEndian(tcp[TcpHeader..], WindowScale); }
        content.CopyTo(tcp[header..]);
        BinaryPrimitives.WriteUInt16BigEndian(tcp[16..], addresses.Checksum(tcp, Tcp));
        var count = isBeginning ? 1u : (uint)content.Length;    // a SYN has a sequence number
        if (isSent) { connection.Sent += count; }
        else { connection.Received += count; }
        return _packet.AsMemory(0, start + header + content.Length);
    }

    // A capture does not see the ends of connections. When there are too many, the one that was not used for the longest time is forgotten.
    private bool TryUse(in ChannelKey key, out Connection connection)
    {
        if (_connections.TryGetValue(key, out var known))
        {
            _byUse.Remove(known);
            _byUse.AddLast(known);
            connection = known.Value;
            return true;
        }
        if (_connections.Count == MaxConnections)
        {
            _connections.Remove(_byUse.First!.Value.Key);
            _byUse.RemoveFirst();
            // If it begins again, it needs another number: readers take a SYN with the same one for a repetition.
            _initial = unchecked(_initial + SequenceDistance);
        }
        connection = new Connection(key, _initial);
        _connections[key] = _byUse.AddLast(connection);
        return false;
    }

    /// <summary>The next sequence numbers of a connection. Messages that were not captured have none, so that the stream has no gaps.</summary>
    private sealed class Connection(ChannelKey key, uint initial)
    {
        public ChannelKey Key { get; } = key;

        public uint Sent { get; set; } = initial;

        public uint Received { get; set; } = initial;
    }
}
