using System.Net;
using System.Net.NetworkInformation;

namespace CoAP.Transports;

/// <summary>Lists the network interfaces of this machine and their addresses.</summary>
internal static class NetworkCards
{
    /// <summary>Returns the interfaces that are up.</summary>
    public static IEnumerable<NetworkInterface> Active() =>
        NetworkInterface.GetAllNetworkInterfaces().Where(card => card.OperationalStatus is OperationalStatus.Up or OperationalStatus.Unknown);

    /// <summary>Returns the interfaces that are up, with their indexes.</summary>
    public static IEnumerable<(NetworkInterface Card, int Index)> ActiveWithIndex() => WithIndex(Active());

    /// <summary>Returns all interfaces, also those that are down, with their indexes.</summary>
    public static IEnumerable<(NetworkInterface Card, int Index)> AllWithIndex() => WithIndex(NetworkInterface.GetAllNetworkInterfaces());

    /// <summary>Returns the unicast addresses of the interface with this index.</summary>
    public static HashSet<IPAddress> AddressesOf(int interfaceIndex) =>
        [.. ActiveWithIndex().Where(one => one.Index == interfaceIndex).SelectMany(one => AddressesOf(one.Card))];

    /// <summary>Returns the unicast addresses of the interface.</summary>
    public static IEnumerable<IPAddress> AddressesOf(NetworkInterface card) =>
        card.GetIPProperties().UnicastAddresses.Select(entry => entry.Address);

    private static IEnumerable<(NetworkInterface Card, int Index)> WithIndex(IEnumerable<NetworkInterface> cards) =>
        from card in cards
        let index = IndexOf(card)
        where index > 0
        select (card, index);

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
            return 0; // the interface was removed meanwhile
        }
    }
}
