using System.Net;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>The system's error about an address, with the address that it is about: a server has several.</summary>
internal static class BindFailure
{
    public static SocketException Of(ProtocolType transport, EndPoint place, SocketException error)
    {
        var what = place is UnixDomainSocketEndPoint ? "local socket" : transport == ProtocolType.Udp ? "UDP endpoint" : "TCP endpoint";
        return new SocketException((int)error.SocketErrorCode, $"The {what} {place} cannot be bound: {error.Message}.");
    }
}
