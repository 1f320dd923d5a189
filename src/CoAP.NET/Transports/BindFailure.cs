using System.Net;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>Adds the address to the system's error about a failed bind, because a server binds several addresses.</summary>
internal static class BindFailure
{
    public static SocketException Of(ProtocolType protocol, EndPoint address, SocketException error)
    {
        var kind = address is UnixDomainSocketEndPoint ? "local socket" : protocol == ProtocolType.Udp ? "UDP endpoint" : "TCP endpoint";
        return new SocketException((int)error.SocketErrorCode, $"The {kind} {address} cannot be bound: {error.Message}.");
    }
}
