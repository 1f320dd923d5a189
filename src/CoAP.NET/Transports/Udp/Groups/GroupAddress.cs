using System.Net;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>Classifies multicast addresses.</summary>
internal static class GroupAddress
{
    /// <summary>Whether the address is a multicast address.</summary>
    public static bool IsMulticast(this IPAddress address) => PeerIdentity.From(new IPEndPoint(address, 0)).IsMulticast;

    /// <summary>Whether the address means a different group on each interface: scopes 1 and 2 (RFC 4291, section 2.7).</summary>
    public static bool IsIPv6LinkLocalMulticast(this IPAddress address) =>
        address.AddressFamily == AddressFamily.InterNetworkV6 && address.GetAddressBytes() is [0xFF, var scope, ..] && (scope & 15) is 1 or 2;
}
