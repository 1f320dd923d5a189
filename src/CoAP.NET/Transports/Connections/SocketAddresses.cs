using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>Reads the identities at both ends of a connected socket.</summary>
internal static class SocketAddresses
{
    private static int _count;

    public static (PeerIdentity Peer, PeerIdentity Local) Of(Socket socket) => (PeerOf(socket), LocalOf(socket));

    public static PeerIdentity PeerOf(Socket socket) =>
        socket.RemoteEndPoint is IPEndPoint remote ? PeerIdentity.From(remote) : OfUnix(socket.RemoteEndPoint);

    /// <summary>Returns the local side. On Linux it asks the system directly, because <see cref="Socket.LocalEndPoint"/> keeps an object per socket.</summary>
    public static PeerIdentity LocalOf(Socket socket)
    {
        if (LinuxCalls.IsSupported && LinuxCalls.TryGetLocal(socket, out var local)) { return local; }
        return socket.LocalEndPoint is IPEndPoint endPoint ? PeerIdentity.From(endPoint) : OfUnix(socket.LocalEndPoint);
    }

    // A client of a local socket has no path. A number tells it from the others.
    private static PeerIdentity OfUnix(EndPoint? endPoint) => PeerIdentity.From(endPoint?.ToString() is { Length: > 0 } path
        ? $"unix:{path}"
        : string.Create(CultureInfo.InvariantCulture, $"unix:#{Interlocked.Increment(ref _count)}"));
}
