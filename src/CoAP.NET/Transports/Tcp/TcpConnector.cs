using System.Net;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>Opens TCP and local connections.</summary>
internal static class TcpConnector
{
    /// <summary>Connects a socket.</summary>
    /// <param name="remote">The address of the peer.</param>
    /// <param name="settings">The settings of the socket.</param>
    /// <param name="isBlocking">Whether the call blocks the calling thread. Otherwise it holds no thread.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <exception cref="SocketException">The peer refuses the connection, cannot be reached, or does not answer in time.</exception>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    public static async Task<Socket> ConnectAsync(
        EndPoint remote, TcpSettings settings, bool isBlocking, CancellationToken cancellationToken)
    {
        var socket = New(remote);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(settings.ConnectTimeout);
        try
        {
            Prepare(socket, settings);
            if (isBlocking) { BlockingCall.Run(() => socket.Connect(remote), socket, limit.Token); }
            else { await socket.ConnectAsync(remote, limit.Token).ConfigureAwait(false); }
            return socket;
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            socket.Dispose();
            throw new SocketException((int)SocketError.TimedOut);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>Creates a stream socket for the address.</summary>
    public static Socket New(EndPoint endPoint) => endPoint is DnsEndPoint
        ? new(SocketType.Stream, ProtocolType.Tcp)
        : new(endPoint.AddressFamily, SocketType.Stream, endPoint is UnixDomainSocketEndPoint ? ProtocolType.Unspecified : ProtocolType.Tcp);

    /// <summary>Applies the settings to a connection.</summary>
    public static void Prepare(Socket socket, TcpSettings settings)
    {
        if (socket.AddressFamily == AddressFamily.Unix) { return; }
        socket.NoDelay = true;
        if (settings.KeepAlive is not { } idle) { return; }
        socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.KeepAlive, true);
        socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveTime, (int)idle.TotalSeconds);
    }
}
