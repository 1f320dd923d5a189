using System.Net;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>Adds the address to the system's error about a failed bind, because a server binds several addresses.</summary>
internal static class BindFailure
{
    // The runtime reports a path whose directory does not exist as an address that cannot be assigned.
    private static string TextOf(EndPoint address, SocketException error) =>
        address is UnixDomainSocketEndPoint && Path.GetDirectoryName(address.ToString()) is { Length: > 0 } folder && !Directory.Exists(folder)
            ? $"the directory {folder} does not exist"
            : (address is IPEndPoint { Address: var ip } ? AddressZones.FindOnMachine(ip, zone: null)?.Text : null) ?? error.Message;

    public static SocketException Of(ProtocolType protocol, EndPoint address, SocketException error)
    {
        var kind = address is UnixDomainSocketEndPoint ? "local socket" : protocol == ProtocolType.Udp ? "UDP endpoint" : "TCP endpoint";
        return new SocketException((int)error.SocketErrorCode, $"The {kind} {address} cannot be bound: {TextOf(address, error)}.");
    }
}
