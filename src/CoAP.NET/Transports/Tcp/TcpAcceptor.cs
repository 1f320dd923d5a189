using System.Net;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>Listens on one address and accepts connections until it is disposed of. An error of the system does not end it.</summary>
internal abstract class TcpAcceptor : IDisposable
{
    /// <summary>The wait after an error that the next attempt would meet again, such as a lack of descriptors.</summary>
    protected static readonly TimeSpan RetryDelay = TimeSpan.FromMilliseconds(100);

    private volatile bool _isDisposed;

    /// <param name="local">The address to listen on. The system chooses a free port if the port is 0.</param>
    /// <param name="isDual">Whether an IPv6 wildcard also accepts IPv4.</param>
    /// <param name="settings">The settings of the sockets.</param>
    /// <param name="limits">The limits that count the connections.</param>
    /// <param name="events">The receiver of the events.</param>
    /// <exception cref="SocketException">The address is in use, or does not belong to this machine.</exception>
    protected TcpAcceptor(EndPoint local, bool isDual, TcpSettings settings, ConnectionLimits limits, ITcpAcceptorEvents events)
    {
        (Settings, Limits, Events) = (settings, limits, events);
        Socket = TcpConnector.New(local);
        try
        {
            if (local.AddressFamily == AddressFamily.InterNetworkV6) { Socket.DualMode = isDual; }
            if (local is UnixDomainSocketEndPoint unix) { UnixPath.DeleteIfStale(unix); }
            Socket.Bind(local);
            Socket.Listen(settings.Backlog);
            LocalEndPoint = Socket.LocalEndPoint!;
        }
        catch (SocketException exception)
        {
            Socket.Dispose();
            throw BindFailure.Of(ProtocolType.Tcp, local, exception);
        }
    }

    public EndPoint LocalEndPoint { get; }

    /// <summary>The TLS handshake of new connections. <see langword="null"/> for plain connections.</summary>
    public TlsServerHandshake? Tls { get; init; }

    protected Socket Socket { get; }

    protected TcpSettings Settings { get; }

    protected ITcpAcceptorEvents Events { get; }

    protected ConnectionLimits Limits { get; }

    protected bool IsDisposed => _isDisposed;

    /// <summary>Starts to accept connections. Call it once.</summary>
    public abstract void Start();

    /// <summary>Stops listening. Accepted connections stay open.</summary>
    public virtual void Dispose()
    {
        _isDisposed = true;
        Socket.Dispose();
        if (LocalEndPoint is UnixDomainSocketEndPoint unix) { File.Delete(unix.ToString()); }
    }

    protected abstract IStreamConnection Connect(Socket socket);

    /// <summary>Starts the handshake and raises the event when it ends. Does not wait. The handshake is already counted and ends its own count.</summary>
    protected abstract void Secure(Socket socket, TlsServerHandshake tls, PeerIdentity peer);

    /// <summary>Closes a connection whose handshake failed.</summary>
    protected void Abandon(Socket socket, in PeerIdentity peer, Exception error)
    {
        socket.Dispose();
        Limits.Leave(peer);
        Interlocked.Increment(ref ConnectionCounters.FailedHandshakes);
        Events.OnHandshakeFailed(peer, error);
    }

    /// <summary>Accepts the connection, or closes it if it would exceed a limit.</summary>
    protected void Admit(Socket socket)
    {
        try
        {
            var peer = SocketAddresses.PeerOf(socket);
            if (!Limits.TryEnter(peer, out var limit))
            {
                socket.Dispose();
                Events.OnRefused(peer, limit);
                return;
            }

            if (TryOpen(socket, peer) is { } connection) { Deliver(connection); }
        }
        catch (SocketException exception)
        {
            // The peer closed the connection before it was accepted, or the receiver could not take it.
            socket.Dispose();
            Report(exception.SocketErrorCode);
        }
    }

    /// <summary>Reports the error. Returns whether to wait before the next attempt.</summary>
    protected bool MustWait(SocketError error)
    {
        Report(error);
        return error is not (SocketError.ConnectionAborted or SocketError.ConnectionReset or SocketError.Interrupted);
    }

    // The receiver may lack resources of the system, such as descriptors for a lane. The connection must not stay counted then.
    private void Deliver(IStreamConnection connection)
    {
        try { Events.OnAccepted(connection); }
        catch (SocketException)
        {
            connection.Dispose();
            throw;
        }
    }

    private IStreamConnection? TryOpen(Socket socket, in PeerIdentity peer)
    {
        try
        {
            TcpConnector.Prepare(socket, Settings);
            if (Tls is null) { return Connect(socket); }
            if (!Tls.TryBegin(out var limit)) { Refuse(socket, peer, limit); }
            else { Secure(socket, Tls, peer); }
            return null;
        }
        catch (SocketException exception)
        {
            socket.Dispose();
            Limits.Leave(peer);
            Report(exception.SocketErrorCode);
            return null;
        }
    }

    private void Refuse(Socket socket, in PeerIdentity peer, ConnectionLimit limit)
    {
        socket.Dispose();
        Limits.Leave(peer);
        Interlocked.Increment(ref ConnectionCounters.Refused);
        Events.OnRefused(peer, limit);
    }

    private void Report(SocketError error)
    {
        Interlocked.Increment(ref ConnectionCounters.FailedAccepts);
        Events.OnAcceptFailed(error);
    }
}
