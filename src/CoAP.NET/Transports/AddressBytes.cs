using System.Buffers.Binary;
using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace CoAP.Transports;

/// <summary>Converts between peer identities and the socket addresses of the system, without allocating.</summary>
/// <remarks>
/// <c>sockaddr_in</c> and <c>sockaddr_in6</c> have the same layout on all systems from the third byte on. The caller writes the first two bytes.
/// </remarks>
internal static class AddressBytes
{
    public const int LengthIPv4 = 16;
    public const int LengthIPv6 = 28;

    public static int Length(AddressFamily family) => family == AddressFamily.InterNetwork ? LengthIPv4 : LengthIPv6;

    public static PeerIdentity Read(ReadOnlySpan<byte> address, AddressFamily family)
    {
        var port = BinaryPrimitives.ReadUInt16BigEndian(address[2..]);
        return family == AddressFamily.InterNetwork
            ? PeerIdentity.FromIPv4(BinaryPrimitives.ReadUInt32BigEndian(address[4..]), port)
            : PeerIdentity.FromIPv6(address.Slice(8, 16), MemoryMarshal.Read<uint>(address[24..]), port);
    }

    /// <summary>Writes the identity as an address for a socket of this family. An IPv4 address is written in its mapped form for IPv6.</summary>
    public static void Write(in PeerIdentity peer, Span<byte> address, AddressFamily family)
    {
        BinaryPrimitives.WriteUInt16BigEndian(address[2..], (ushort)peer.Port);
        if (family == AddressFamily.InterNetwork)
        {
            BinaryPrimitives.WriteUInt32BigEndian(address[4..], peer.IPv4Address);
            return;
        }

        address.Slice(4, 4).Clear();
        peer.WriteIPv6(address[8..]);
        MemoryMarshal.Write(address[24..], peer.ScopeId);
    }

    /// <summary>Whether datagrams can be sent from this address: it is neither multicast nor unspecified (RFC 7252, section 8.1).</summary>
    public static bool CanBeSource(in PeerIdentity local)
    {
        if (local.IsNone) { return false; }
        if (local.IsIPv4) { return local.IPv4Address is < 0xE000_0000 and not 0; }
        Span<byte> address = stackalloc byte[16];
        local.WriteIPv6(address);
        return address[0] != 0xFF;
    }

    /// <summary>Returns the largest payload of a datagram to the peer, in bytes.</summary>
    public static int LargestDatagramTo(in PeerIdentity peer) =>
        peer.IsIPv4 ? UdpSettings.MaxDatagramSize - 20 : UdpSettings.MaxDatagramSize;
}
