using System.Net;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>Listens on one address and accepts connections until it is disposed of. An error of the system does not end it.</summary>
internal sealed class TcpAcceptor : IDisposable
{
    private static readonly TimeSpan EndTimeout = TimeSpan.FromSeconds(1);

    // The wait after an error that the next attempt would meet again, such as a lack of descriptors.
    private static readonly TimeSpan RetryDelay = TimeSpan.FromMilliseconds(100);

    private readonly Socket _socket;
    private readonly TcpSettings _settings;
    private readonly ConnectionLimits _limits;
    private readonly ITcpAcceptorEvents _events;
    private readonly CancellationTokenSource _end = new();
    private Thread? _thread;

    /// <param name="local">The address to listen on. The system chooses a free port if the port is 0.</param>
    /// <param name="isDual">Whether an IPv6 wildcard also accepts IPv4.</param>
    /// <param name="settings">The settings of the sockets.</param>
    /// <param name="limits">The limits that count the connections.</param>
    /// <param name="events">The receiver of the events.</param>
    /// <exception cref="SocketException">The address is in use, or does not belong to this machine.</exception>
    public TcpAcceptor(EndPoint local, bool isDual, TcpSettings settings, ConnectionLimits limits, ITcpAcceptorEvents events)
    {
        (_settings, _limits, _events) = (settings, limits, events);
        _socket = TcpConnector.New(local);
        try
        {
            if (local.AddressFamily == AddressFamily.InterNetworkV6) { _socket.DualMode = isDual; }
            if (local is UnixDomainSocketEndPoint unix) { UnixPath.DeleteIfStale(unix); }
            _socket.Bind(local);
            _socket.Listen(settings.Backlog);
            LocalEndPoint = _socket.LocalEndPoint!;
        }
        catch (SocketException exception)
        {
            _socket.Dispose();
            throw BindFailure.Of(ProtocolType.Tcp, local, exception);
        }
    }

    public EndPoint LocalEndPoint { get; }

    /// <summary>Whether the acceptor and each of its connections have their own thread. Otherwise no call waits.</summary>
    public bool IsBlocking { get; init; }

    /// <summary>Whether the lane's own thread polls plain connections, instead of the socket engine of .NET.</summary>
    public bool IsPolled { get; init; }

    /// <summary>The TLS handshake of new connections. <see langword="null"/> for plain connections.</summary>
    public TlsServerHandshake? Tls { get; init; }

    /// <summary>The clock for the wait after an error.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>Starts to accept connections. Call it once.</summary>
    public void Start()
    {
        if (IsBlocking) { _thread = StartThread("CoAP acceptor", AcceptAsync); }
        else { _ = AcceptAsync(); }
    }

    /// <summary>Stops listening. Accepted connections stay open.</summary>
    public void Dispose()
    {
        _end.Cancel();
        _socket.Dispose();
        if (LocalEndPoint is UnixDomainSocketEndPoint unix) { File.Delete(unix.ToString()); }
        if (Thread.CurrentThread != _thread) { _thread?.Join(EndTimeout); }
    }

    // Nothing in the blocking form waits for another thread, so the task is complete when the call returns.
    private Thread StartThread(string name, Func<Task> run)
    {
        var thread = new Thread(() => run().GetAwaiter().GetResult(), _settings.ConnectionStackSize) { IsBackground = true, Name = name };
        thread.UnsafeStart();
        return thread;
    }

    private async Task AcceptAsync()
    {
        while (!_end.IsCancellationRequested)
        {
            try
            {
                Admit(IsBlocking ? _socket.Accept() : await _socket.AcceptAsync(_end.Token).ConfigureAwait(false));
            }
            catch (SocketException exception)
            {
                if (!_end.IsCancellationRequested && MustWait(exception.SocketErrorCode)) { await WaitAsync().ConfigureAwait(false); }
            }
            catch (Exception exception) when (exception is OperationCanceledException or ObjectDisposedException)
            {
                return;
            }
        }
    }

    /// <summary>Reports the error. Returns whether to wait before the next attempt.</summary>
    private bool MustWait(SocketError error)
    {
        Report(error);
        return error is not (SocketError.ConnectionAborted or SocketError.ConnectionReset or SocketError.Interrupted);
    }

    private async Task WaitAsync()
    {
        if (IsBlocking)
        {
            _end.Token.WaitHandle.WaitOne(RetryDelay);
            return;
        }
        using var timer = new PeriodicTimer(RetryDelay, Time);
        using var registration = _end.Token.UnsafeRegister(static timer => ((PeriodicTimer)timer!).Dispose(), timer);
        await timer.WaitForNextTickAsync(CancellationToken.None).ConfigureAwait(false);
    }

    /// <summary>Accepts the connection, or closes it if it would exceed a limit.</summary>
    private void Admit(Socket socket)
    {
        try
        {
            var peer = SocketAddresses.PeerOf(socket);
            if (_limits.TryEnter(peer, out var place, out var limit)) { Open(socket, peer, place); }
            else { Refuse(socket, peer, limit); }
        }
        catch (SocketException exception)
        {
            // The peer closed the connection before it was accepted, or the receiver could not take it.
            socket.Dispose();
            Report(exception.SocketErrorCode);
        }
    }

    private void Open(Socket socket, in PeerIdentity peer, ConnectionPlace place)
    {
        Interlocked.Increment(ref ConnectionCounters.Accepted);
        IStreamConnection connection;
        try
        {
            TcpConnector.Prepare(socket, _settings);
            if (Tls is not null)
            {
                Secure(socket, Tls, peer, place);
                return;
            }
            connection = IsBlocking ? new TcpBlockingConnection(socket, _settings, place)
                : IsPolled ? new PolledConnection(socket, place) : new TcpConnection(socket, place);
        }
        catch (SocketException)
        {
            place.Leave();
            throw;
        }
        // The receiver may lack resources of the system, such as descriptors for a lane. The connection must not stay counted then.
        try { _events.OnAccepted(connection); }
        catch (SocketException)
        {
            connection.Dispose();
            throw;
        }
    }

    // Starts the handshake without waiting for it. The blocking form has its own thread, so that a slow client does not delay the others.
    private void Secure(Socket socket, TlsServerHandshake tls, PeerIdentity peer, ConnectionPlace place)
    {
        if (!tls.Limits.TryEnter(peer, out var handshake, out var limit))
        {
            place.Leave();
            Refuse(socket, peer, limit);
            return;
        }
        if (!IsBlocking)
        {
            _ = SecureAsync(socket, tls, peer, place, handshake);
            return;
        }
        try { StartThread("CoAP handshake", () => SecureAsync(socket, tls, peer, place, handshake)); }
        catch (OutOfMemoryException exception)
        {
            handshake.Leave();
            Abandon(socket, peer, place, exception);
        }
    }

    private async Task SecureAsync(Socket socket, TlsServerHandshake tls, PeerIdentity peer, ConnectionPlace place, ConnectionPlace handshake)
    {
        // A client that has already sent its first message would be answered within the accept. That takes half a millisecond,
        // and others wait.
        if (!IsBlocking) { await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding); }
        try
        {
            var secured = await tls.RunAsync(new NetworkStream(socket, ownsSocket: true), peer, IsBlocking).ConfigureAwait(false);
            _events.OnAccepted(IsBlocking
                ? new TcpBlockingConnection(socket, _settings, place, secured)
                : TlsConnection.Over(secured, socket, place));
        }
        catch (Exception exception) // The edge to the user's certificate callbacks. The client may also have left.
        {
            Abandon(socket, peer, place, exception);
        }
        finally
        {
            handshake.Leave();
        }
    }

    /// <summary>Closes a connection whose handshake failed.</summary>
    private void Abandon(Socket socket, in PeerIdentity peer, ConnectionPlace place, Exception error)
    {
        socket.Dispose();
        place.Leave();
        Interlocked.Increment(ref ConnectionCounters.FailedHandshakes);
        _events.OnHandshakeFailed(peer, error);
    }

    private void Refuse(Socket socket, in PeerIdentity peer, ConnectionLimit limit)
    {
        socket.Dispose();
        _events.OnRefused(peer, limit);
    }

    private void Report(SocketError error)
    {
        Interlocked.Increment(ref ConnectionCounters.FailedAccepts);
        _events.OnAcceptFailed(error);
    }
}
