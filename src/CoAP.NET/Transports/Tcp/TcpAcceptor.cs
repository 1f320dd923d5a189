using System.Net;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>Is told what became of the connections that came in, on the acceptor's thread.</summary>
internal interface ITcpAcceptorEvents
{
    /// <summary>A connection is there; who is told owns it.</summary>
    void OnAccepted(IStreamConnection connection);

    /// <summary>A connection was closed at once, because as many as the limit says were open already.</summary>
    void OnRefused(PeerIdentity peer, ConnectionLimit limit);

    /// <summary>The system could not accept; the acceptor goes on.</summary>
    void OnAcceptFailed(SocketError error);

    /// <summary>A connection was closed, because it could not be secured.</summary>
    void OnHandshakeFailed(PeerIdentity peer, Exception error);
}

/// <summary>Listens on one address and accepts for as long as it lives, whatever the system says in between.</summary>
internal abstract class TcpAcceptor : IDisposable
{
    /// <summary>How long it waits after an error that does not pass by accepting again, such as a lack of descriptors.</summary>
    protected static readonly TimeSpan RetryDelay = TimeSpan.FromMilliseconds(100);

    private readonly ConnectionLimits _limits;
    private readonly ITcpAcceptorEvents _events;
    private volatile bool _isDisposed;
    private long _refused;
    private long _failed;

    /// <param name="local">Where to listen; on port 0 the system chooses one.</param>
    /// <param name="isDual">Whether an IPv6 wildcard serves IPv4 as well.</param>
    /// <param name="settings">How sockets are opened.</param>
    /// <param name="limits">Counts the connections.</param>
    /// <param name="events">Is told.</param>
    /// <exception cref="SocketException">The address is in use, or not ours.</exception>
    protected TcpAcceptor(EndPoint local, bool isDual, TcpSettings settings, ConnectionLimits limits, ITcpAcceptorEvents events)
    {
        (Settings, _limits, _events) = (settings, limits, events);
        Socket = TcpConnector.New(local);
        try
        {
            if (local.AddressFamily == AddressFamily.InterNetworkV6) { Socket.DualMode = isDual; }
            if (local is UnixDomainSocketEndPoint unix) { UnixPath.FreeIfStale(unix); }
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

    /// <summary>Connections closed at once because of a limit.</summary>
    public long Refused => Volatile.Read(ref _refused);

    /// <summary>Calls that accepted nothing.</summary>
    public long Failed => Volatile.Read(ref _failed);

    protected Socket Socket { get; }

    protected TcpSettings Settings { get; }

    protected bool IsDisposed => _isDisposed;

    /// <summary>Begins to accept; once.</summary>
    public abstract void Start();

    /// <summary>Stops listening. Connections that were accepted live on.</summary>
    public virtual void Dispose()
    {
        _isDisposed = true;
        Socket.Dispose();
        if (LocalEndPoint is UnixDomainSocketEndPoint unix) { File.Delete(unix.ToString()); }
    }

    /// <summary>What secures the connections; none where they are plain.</summary>
    public TlsServerHandshake? Tls { get; init; }

    protected ITcpAcceptorEvents Events => _events;

    protected ConnectionLimits Limits => _limits;

    protected abstract IStreamConnection Connect(Socket socket);

    /// <summary>Begins to secure the connection, and tells when it is there. Does not wait. The handshake was counted and ends its count itself.</summary>
    protected abstract void Secure(Socket socket, TlsServerHandshake tls, PeerIdentity peer);

    /// <summary>The connection could not be secured.</summary>
    protected void Abandon(Socket socket, in PeerIdentity peer, Exception error)
    {
        socket.Dispose();
        _limits.Leave(peer);
        ConnectionCounters.OnHandshakeFailed();
        _events.OnHandshakeFailed(peer, error);
    }

    /// <summary>Lets the connection in, or closes it.</summary>
    protected void Admit(Socket socket)
    {
        try
        {
            var peer = SocketAddresses.PeerOf(socket);
            if (!_limits.TryEnter(peer, out var limit))
            {
                socket.Dispose();
                Interlocked.Increment(ref _refused);
                _events.OnRefused(peer, limit);
                return;
            }

            if (TryOpen(socket, peer) is { } connection) { HandOn(connection); }
        }
        catch (SocketException exception)
        {
            // The peer has gone before it was let in, or nobody could take it.
            socket.Dispose();
            Count(exception.SocketErrorCode);
        }
    }

    /// <summary>Counts the error and tells whether to wait before the next attempt.</summary>
    protected bool MustWait(SocketError error)
    {
        Count(error);
        return error is not (SocketError.ConnectionAborted or SocketError.ConnectionReset or SocketError.Interrupted);
    }

    // Whoever takes it may need what the system has no more of, such as descriptors for a lane: then it does not stay counted.
    private void HandOn(IStreamConnection connection)
    {
        try { _events.OnAccepted(connection); }
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
            _limits.Leave(peer);
            Count(exception.SocketErrorCode);
            return null;
        }
    }

    private void Refuse(Socket socket, in PeerIdentity peer, ConnectionLimit limit)
    {
        socket.Dispose();
        _limits.Leave(peer);
        ConnectionCounters.OnRefused();
        Interlocked.Increment(ref _refused);
        _events.OnRefused(peer, limit);
    }

    private void Count(SocketError error)
    {
        Interlocked.Increment(ref _failed);
        _events.OnAcceptFailed(error);
    }
}
