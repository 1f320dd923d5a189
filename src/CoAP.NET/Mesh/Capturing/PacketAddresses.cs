using System.Buffers.Binary;
using System.Text;

namespace CoAP.Mesh;

/// <summary>The addresses of a packet, and the parts of its headers that depend on them (RFC 791, section 3.1; RFC 8200, section 3).</summary>
internal readonly struct PacketAddresses
{
    /// <summary>The longest header of IP.</summary>
    public const int MaxHeader = 40;

    private const int IPv4Header = 20;
    private const ushort Port = 5683;
    private const ushort SecuredPort = 5684;
    private const uint NamedNetwork = 198u << 24 | 18 << 16;     // 198.18.0.0/15, which is reserved for tests (RFC 2544)
    private const uint NamedHosts = (1 << 17) - 1;
    private const byte HopLimit = 64;

    private readonly PeerIdentity _source;
    private readonly PeerIdentity _destination;
    private readonly bool _isIPv4;

    private PacketAddresses(in PeerIdentity source, in PeerIdentity destination, bool isIPv4) =>
        (_source, _destination, _isIPv4) = (source, destination, isIPv4);

    public ushort SourcePort => PortOf(_source);

    public ushort DestinationPort => PortOf(_destination);

    public static PacketAddresses Of(in ChannelKey key, bool isSent) =>
        isSent ? new(key.Local, key.Peer, !IsIPv6(key.Peer)) : new(key.Peer, key.Local, !IsIPv6(key.Peer));

    /// <summary>Writes the header of IP and returns its length.</summary>
    /// <param name="packet">The packet.</param>
    /// <param name="protocol">The protocol of the payload.</param>
    /// <param name="length">The length of the payload.</param>
    /// <param name="identification">The number of the packet.</param>
    public int WriteHeader(Span<byte> packet, byte protocol, int length, ushort identification)
    {
        var header = packet[..(_isIPv4 ? IPv4Header : MaxHeader)];
        header.Clear();
        if (_isIPv4)
        {
            header[0] = 0x45;
            BinaryPrimitives.WriteUInt16BigEndian(header[2..], (ushort)(IPv4Header + length));
            BinaryPrimitives.WriteUInt16BigEndian(header[4..], identification);
            (header[8], header[9]) = (HopLimit, protocol);
            WriteAddresses(header[12..]);
            BinaryPrimitives.WriteUInt16BigEndian(header[10..], Folded(Sum(header)));
        }
        else
        {
            header[0] = 0x60;
            BinaryPrimitives.WriteUInt16BigEndian(header[4..], (ushort)length);
            (header[6], header[7]) = (protocol, HopLimit);
            WriteAddresses(header[8..]);
        }
        return header.Length;
    }

    /// <summary>Returns the checksum of UDP or TCP, with the addresses (RFC 9293, section 3.1; RFC 8200, section 8.1).</summary>
    public ushort Checksum(ReadOnlySpan<byte> payload, byte protocol)
    {
        Span<byte> addresses = stackalloc byte[32];
        var size = WriteAddresses(addresses);
        return Folded(Sum(addresses[..size]) + Sum(payload) + (uint)payload.Length + protocol);
    }

    private int WriteAddresses(Span<byte> destination)
    {
        Write(_source, destination);
        var size = _isIPv4 ? 4 : 16;
        Write(_destination, destination[size..]);
        return 2 * size;
    }

    private void Write(in PeerIdentity address, Span<byte> destination)
    {
        if (_isIPv4) { BinaryPrimitives.WriteUInt32BigEndian(destination, IPv4Of(address)); }
        else { address.WriteIPv6(destination); }    // an unknown local address is ::
    }

    private static bool IsIPv6(in PeerIdentity address) => address is { IsIP: true, IsIPv4: false };

    // The same name has the same address in every capture.
    private static uint IPv4Of(in PeerIdentity address)
    {
        if (address.IsIPv4) { return address.IPv4Address; }
        if (address.Name is not { } name) { return 0; }
        var hash = 2166136261u;
        foreach (var one in Encoding.UTF8.GetBytes(name)) { hash = (hash ^ one) * 16777619; }
        return NamedNetwork | (hash & NamedHosts);
    }

    private static ushort PortOf(in PeerIdentity address) => address switch
    {
        { IsIP: true, Port: SecuredPort } or { IsName: true } => Port,
        _ => (ushort)address.Port,
    };

    private static ulong Sum(ReadOnlySpan<byte> bytes)
    {
        ulong sum = 0;
        for (; bytes.Length > 1; bytes = bytes[2..]) { sum += BinaryPrimitives.ReadUInt16BigEndian(bytes); }
        return bytes.IsEmpty ? sum : sum + ((uint)bytes[0] << 8);
    }

    private static ushort Folded(ulong sum)
    {
        while (sum > ushort.MaxValue) { sum = (sum & ushort.MaxValue) + (sum >> 16); }
        return (ushort)~sum;
    }
}
