using System.Net;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>Opens TCP and local connections.</summary>
internal static class TcpConnector
{
    /// <summary>Connects a socket without holding a thread.</summary>
    /// <exception cref="SocketException">The peer refuses the connection, cannot be reached, or does not answer in time.</exception>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    public static async ValueTask<Socket> ConnectAsync(EndPoint remote, TcpSettings settings, CancellationToken cancellationToken)
    {
        var socket = New(remote);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(settings.ConnectTimeout);
        try
        {
            Prepare(socket, settings);
            await socket.ConnectAsync(remote, limit.Token).ConfigureAwait(false);
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

    /// <summary>Connects a socket and blocks the calling thread until it is connected.</summary>
    /// <inheritdoc cref="ConnectAsync" path="/exception"/>
    public static Socket Connect(EndPoint remote, TcpSettings settings, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var socket = New(remote);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(settings.ConnectTimeout);
        try
        {
            Prepare(socket, settings);

            // A blocking connect has no timeout. Closing the socket ends it.
            using (limit.Token.UnsafeRegister(static socket => ((Socket)socket!).Dispose(), socket)) { socket.Connect(remote); }
            return socket;
        }
        catch (Exception exception) when (limit.IsCancellationRequested && exception is SocketException or ObjectDisposedException)
        {
            socket.Dispose();
            cancellationToken.ThrowIfCancellationRequested();
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
