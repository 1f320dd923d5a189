using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;

namespace CoAP.Tests.Transports;

/// <summary>The addresses of this machine. Datagrams to them stay on the machine.</summary>
internal static class LocalAddresses
{
    public static bool HasIPv6 => Socket.OSSupportsIPv6 && All.Contains(IPAddress.IPv6Loopback);

    /// <summary>The IPv4 addresses except loopback. There may be none.</summary>
    public static IEnumerable<IPAddress> OfCards =>
        All.Where(address => address.AddressFamily == AddressFamily.InterNetwork && !IPAddress.IsLoopback(address));

    private static IEnumerable<IPAddress> All => NetworkInterface.GetAllNetworkInterfaces()
        .Where(card => card.OperationalStatus is OperationalStatus.Up or OperationalStatus.Unknown)
        .SelectMany(card => card.GetIPProperties().UnicastAddresses)
        .Select(entry => entry.Address);
}
