using System.Net;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>Opens connections.</summary>
internal static class TcpConnector
{
    /// <summary>Opens a connection whose calls never wait.</summary>
    /// <exception cref="SocketException">The peer refuses, cannot be reached or does not answer in time.</exception>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public static async ValueTask<TcpConnection> ConnectAsync(IPEndPoint remote, TcpSettings settings, CancellationToken cancellationToken)
    {
        var socket = new Socket(remote.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(settings.ConnectTimeout);
        try
        {
            Prepare(socket, settings);
            await socket.ConnectAsync(remote, limit.Token).ConfigureAwait(false);
            return new TcpConnection(socket);
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

    /// <summary>Opens a connection whose calls wait, and blocks the calling thread until it is there.</summary>
    /// <inheritdoc cref="ConnectAsync" path="/exception"/>
    public static TcpBlockingConnection Connect(IPEndPoint remote, TcpSettings settings, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var socket = new Socket(remote.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(settings.ConnectTimeout);
        try
        {
            Prepare(socket, settings);

            // A blocking connect has no time-out of its own; closing the socket ends it.
            using (limit.Token.UnsafeRegister(static socket => ((Socket)socket!).Dispose(), socket)) { socket.Connect(remote); }
            return new TcpBlockingConnection(socket, settings);
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

    /// <summary>Sets what all connections have in common.</summary>
    public static void Prepare(Socket socket, TcpSettings settings)
    {
        socket.NoDelay = true;
        if (settings.KeepAlive is not { } idle) { return; }
        socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.KeepAlive, true);
        socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveTime, (int)idle.TotalSeconds);
    }
}
