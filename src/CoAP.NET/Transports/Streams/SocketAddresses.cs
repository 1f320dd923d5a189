using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>Who is at the two ends of a connected socket.</summary>
internal static class SocketAddresses
{
    private static int _count;

    public static (PeerIdentity Peer, PeerIdentity Local) Of(Socket socket) => (PeerOf(socket), LocalOf(socket));

    public static PeerIdentity PeerOf(Socket socket) =>
        socket.RemoteEndPoint is IPEndPoint remote ? PeerIdentity.From(remote) : OfUnix(socket.RemoteEndPoint);

    /// <summary>Our side; asked of the system where that can be done without the socket keeping the answer for as long as it lives.</summary>
    public static PeerIdentity LocalOf(Socket socket)
    {
        if (LinuxCalls.IsSupported && LinuxCalls.TryGetLocal(socket, out var local)) { return local; }
        return socket.LocalEndPoint is IPEndPoint endPoint ? PeerIdentity.From(endPoint) : OfUnix(socket.LocalEndPoint);
    }

    // Whoever connects to a path has none of its own, so that it gets a number to be told from the others.
    private static PeerIdentity OfUnix(EndPoint? endPoint) => PeerIdentity.From(endPoint?.ToString() is { Length: > 0 } path
        ? $"unix:{path}"
        : string.Create(CultureInfo.InvariantCulture, $"unix:#{Interlocked.Increment(ref _count)}"));
}
