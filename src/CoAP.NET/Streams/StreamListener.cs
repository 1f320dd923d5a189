using System.Net;
using System.Net.Sockets;
using System.Net.WebSockets;
using CoAP.Accounting;
using CoAP.Transports;
using CoAP.Vocabulary;

namespace CoAP.Streams;

/// <summary>Accepts the connections of a server and passes them on.</summary>
internal sealed class StreamListener : ITcpAcceptorEvents, IDisposable
{
    private readonly ListenSettings _settings;
    private readonly Ledger _ledger;
    private readonly StreamConnections _connections;
    private readonly ConnectionLimits _limits;
    private readonly ConnectionLimits _webSocketLimits;
    private readonly EndpointLog _log;
    private TlsServerHandshake? _tls;
    private readonly List<(ServerEndpoint Endpoint, TcpAcceptor Acceptor)> _acceptors = [];

    public StreamListener(ListenSettings settings, Ledger ledger, EndpointLog log, StreamConnections connections)
    {
        (_settings, _ledger, _log, _connections) = (settings, ledger, log, connections);
        var isThreads = settings.IsBlocking && settings.Tcp.MaxConnectionThreads < settings.Tcp.MaxConnections;
        _limits = new ConnectionLimits(ledger, ledger.Connections, isThreads ? "MaxConnectionThreads" : "MaxConnections");
        _webSocketLimits = new ConnectionLimits(ledger, ledger.WebSockets, "WebSockets.MaxConnections");
    }

    /// <summary>The bound endpoints, with the ports that the system chose.</summary>
    public IEnumerable<ServerEndpoint> Endpoints => _acceptors.Select(static one => one.Endpoint.At(one.Acceptor.LocalEndPoint));

    /// <summary>Binds the endpoints without accepting connections.</summary>
    /// <param name="endpoints">The endpoints. For port 0 the preferred port is tried first.</param>
    /// <param name="preferredPort">The port of the datagram endpoint, so that both transports share it; 0 for none.</param>
    /// <exception cref="SocketException">An address is in use, or is not an address of this machine.</exception>
    public void Bind(IReadOnlyList<ServerEndpoint> endpoints, int preferredPort)
    {
        BindAll([.. endpoints.Where(static endpoint => endpoint.IsTcp)], preferredPort);
        BindAll([.. endpoints.Where(static endpoint => endpoint.IsTls)], preferredPort: 0);
        foreach (var endpoint in endpoints.Where(static endpoint => endpoint.UnixPath is not null))
        {
            _acceptors.Add((endpoint, Listen(endpoint, new UnixDomainSocketEndPoint(endpoint.UnixPath!), isDual: false)));
        }
    }

    private void BindAll(ServerEndpoint[] endpoints, int preferredPort)
    {
        var servesAll = _settings.IsDualMode && !endpoints.Any(endpoint => endpoint.Address.Address.Equals(IPAddress.Any));
        foreach (var endpoint in endpoints)
        {
            var address = endpoint.Address;
            var isDual = servesAll && address.Address.Equals(IPAddress.IPv6Any);
            var acceptor = address.Port != 0 ? Listen(endpoint, address, isDual) : ListenAnywhere(endpoint, isDual, preferredPort);
            _acceptors.Add((endpoint, acceptor));
            if (address.Port == 0) { preferredPort = ((IPEndPoint)acceptor.LocalEndPoint).Port; }
        }
    }

    /// <summary>Starts accepting connections.</summary>
    public void Start() => _acceptors.ForEach(static one => one.Acceptor.Start());

    /// <summary>Serves a WebSocket that a web host has accepted, until it is closed. Then disposes of it.</summary>
    public async Task ServeAsync(
        OpenWebSocket opened, PeerIdentity peer, PeerIdentity local, PeerCredentials? credentials, CancellationToken cancellationToken)
    {
        using var socket = opened.Socket;
        if (!_webSocketLimits.TryEnter(peer, out var place, out var limit))
        {
            OnRefused(peer, limit);
            await socket.CloseOutputAsync(WebSocketCloseStatus.PolicyViolation, $"The account of this peer holds {limit.Held} of {limit.Count} connections ({limit.Setting}).", cancellationToken)
                .ConfigureAwait(false);
            return;
        }
        var connection = WebSocketConnection.Over(opened, peer, local, _connections.WebSockets, place, credentials);
        Interlocked.Increment(ref ConnectionCounters.Accepted);
        _connections.Adopt(connection);
        using var registration = cancellationToken.UnsafeRegister(static socket => ((WebSocket)socket!).Abort(), socket);
        await connection.Closed.ConfigureAwait(false);
    }

    public void OnAccepted(IStreamConnection connection)
    {
        try { _connections.Adopt(connection); }
        catch (SocketException exception) { OnAcceptFailed(exception.SocketErrorCode); }
        catch (CoapTransportException)
        {
            // The server has ended.
        }
        catch (Exception exception) // The edge to user code: creating a stage of the user has failed.
        {
            if (_log.TryPass(LogEvent.ConnectionNotServed, null, out var held)) { Log.ConnectionNotServed(_log.Logger, exception, connection.Peer, held); }
        }
    }

    public void OnRefused(PeerIdentity peer, ConnectionLimit limit)
    {
        if (!_log.TryPass(LogEvent.ConnectionRefused, null, out var held)) { return; }
        Log.ConnectionRefused(_log.Logger, peer, ForeignText.Clean($"{limit.Account}"), limit.Held, limit.Count, limit.Setting, held);
    }

    public void OnAcceptFailed(SocketError error)
    {
        if (_log.TryPass(LogEvent.AcceptFailed, null, out var held)) { Log.AcceptFailed(_log.Logger, error, held); }
    }

    public void OnHandshakeFailed(PeerIdentity peer, Exception error)
    {
        var reason = error is TlsHandshakeException tls ? tls.Failure : TlsFailure.Protocol;
        if (_log.TryPass(LogEvent.HandshakeFailed, reason, out var held)) { Log.HandshakeFailed(_log.Logger, peer, ForeignText.Clean(error.Message), held); }
    }

    public void Dispose() => _acceptors.ForEach(static one => one.Acceptor.Dispose());

    private TcpAcceptor ListenAnywhere(ServerEndpoint endpoint, bool isDual, int preferredPort)
    {
        var address = endpoint.Address.Address;
        try { return Listen(endpoint, new IPEndPoint(address, preferredPort), isDual); }
        catch (SocketException exception) when (preferredPort != 0 && exception.SocketErrorCode == SocketError.AddressAlreadyInUse)
        {
            return Listen(endpoint, new IPEndPoint(address, 0), isDual);
        }
    }

    private TcpAcceptor Listen(ServerEndpoint endpoint, EndPoint address, bool isDual)
    {
        var tls = endpoint.IsTls ? _tls ??= new TlsServerHandshake(_settings.Tls, _ledger, _log.Logger) { Time = _settings.Time } : null;
        return new TcpAcceptor(address, isDual, _settings.Tcp, _limits, this)
        {
            Tls = tls,
            Time = _settings.Time,
            IsBlocking = _settings.IsBlocking,
            IsPolled = _connections.Form.IsPolled,
        };
    }
}
