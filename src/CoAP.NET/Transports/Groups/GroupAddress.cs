using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>What has to be known about addresses of groups and the interfaces that carry them.</summary>
internal static class GroupAddress
{
    /// <summary>Whether an address is that of a group.</summary>
    public static bool IsMulticast(this IPAddress address) => PeerIdentity.From(new IPEndPoint(address, 0)).IsMulticast;

    /// <summary>Whether the group is a different one on each interface: scopes 1 and 2 (RFC 4291, section 2.7).</summary>
    public static bool IsIPv6LinkLocalMulticast(this IPAddress address) =>
        address.AddressFamily == AddressFamily.InterNetworkV6 && address.GetAddressBytes() is [0xFF, var scope, ..] && (scope & 15) is 1 or 2;

    /// <summary>The interfaces that are up, with their indexes.</summary>
    public static IEnumerable<(NetworkInterface Card, int Index)> Interfaces() =>
        from card in NetworkInterface.GetAllNetworkInterfaces()
        where card.OperationalStatus is OperationalStatus.Up or OperationalStatus.Unknown
        let index = IndexOf(card)
        where index > 0
        select (card, index);

    /// <summary>The addresses of an interface.</summary>
    public static HashSet<IPAddress> AddressesOf(int interfaceIndex) =>
        [.. Interfaces().Where(one => one.Index == interfaceIndex).SelectMany(one => AddressesOf(one.Card))];

    public static IEnumerable<IPAddress> AddressesOf(NetworkInterface card) =>
        card.GetIPProperties().UnicastAddresses.Select(entry => entry.Address);

    private static int IndexOf(NetworkInterface card)
    {
        var properties = card.GetIPProperties();
        try
        {
            return card.Supports(NetworkInterfaceComponent.IPv4) ? properties.GetIPv4Properties().Index
                : card.Supports(NetworkInterfaceComponent.IPv6) ? properties.GetIPv6Properties().Index : 0;
        }
        catch (NetworkInformationException)
        {
            return 0; // it went while we looked
        }
    }
}
