using System.Net.WebSockets;
using CoAP.Discovery;
using CoAP.Lanes;
using CoAP.Mesh;
using CoAP.Resources;
using CoAP.Transports;
using CoAP.Vocabulary;

namespace CoAP;

/// <summary>A CoAP server over datagrams and connections.</summary>
/// <remarks>Safe for concurrent use. Add steps before you start the server. You may map resources at any time.</remarks>
public sealed class CoapServer : IAsyncDisposable, IDisposable
{
    private readonly CoapServerSettings _settings;
    private readonly List<ServerStep> _steps = [];
    private readonly Lock _gate = new();
    private readonly ChannelEvents _events;
    private EndpointLanes? _mesh;
    private bool _isRun;
    private bool _isDisposed;

    /// <summary>Creates a server. It binds its sockets when you start it.</summary>
    /// <param name="settings">The settings. Default: those of <see cref="CoapServerSettings"/>.</param>
    public CoapServer(CoapServerSettings? settings = null)
    {
        _settings = settings ?? new CoapServerSettings();
        _events = new ChannelEvents(this);
        if (_settings.ListsResources) { WellKnownCore.MapOn(Resources); }
    }

    /// <summary>The resources that the server offers.</summary>
    public ResourceMap Resources { get; } = new();

    /// <summary>The addresses that the server is bound to, with their actual ports. Empty before the start.</summary>
    public IReadOnlyList<ServerEndpoint> Endpoints => _mesh?.Endpoints ?? [];

    /// <summary>A task that completes when the server has ended. It fails if an internal error ended the server.</summary>
    public Task Completion => _mesh?.Completion ?? Task.CompletedTask;

    /// <summary>Adds a step around all requests, such as logging. The first step added is the outermost.</summary>
    /// <param name="step">Takes the next step, or the handler, and returns a delegate that calls it. The start fails if this is <see langword="null"/>.</param>
    /// <param name="dependsOnPeer">Whether responses may depend on the peer because of the step. If so, observers do not share representations.</param>
    /// <exception cref="InvalidOperationException">The server has started.</exception>
    public CoapServer Use(Func<RequestDelegate, RequestDelegate> step, bool dependsOnPeer = true)
    {
        ArgumentNullException.ThrowIfNull(step);
        lock (_gate)
        {
            if (_mesh is not null) { throw new InvalidOperationException("The server has started. Add steps before the start."); }
            _steps.Add(new ServerStep(step, dependsOnPeer));
        }
        return this;
    }

    /// <summary>Calls an authorizer before any resource is used, also for requests that no resource handles.</summary>
    /// <inheritdoc cref="ResourceAuthorizationExtensions.Authorize(Resource, Authorizer)" path="/remarks|/param[@name='authorizer']"/>
    /// <exception cref="ObjectDisposedException">The server was disposed of.</exception>
    public CoapServer Authorize(Authorizer authorizer)
    {
        ArgumentNullException.ThrowIfNull(authorizer);
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        AuthorizerChain.AddTo(Resources.Features, authorizer);
        return this;
    }

    /// <summary>Calls a synchronous authorizer before any resource is used, also for requests that no resource handles.</summary>
    /// <inheritdoc cref="Authorize(Authorizer)" path="/remarks|/param|/exception"/>
    public CoapServer Authorize(Func<RequestHead, AuthorizationDecision> authorizer)
    {
        ArgumentNullException.ThrowIfNull(authorizer);
        return Authorize((request, _) => new(authorizer(request)));
    }

    /// <summary>Binds the sockets and starts to answer requests.</summary>
    /// <exception cref="System.Net.Sockets.SocketException">An address is in use or does not belong to this machine.</exception>
    /// <exception cref="InvalidOperationException">The server has already started.</exception>
    /// <exception cref="ObjectDisposedException">The server was disposed of.</exception>
    public void Start()
    {
        lock (_gate)
        {
            ThrowIfStopped();
            if (_mesh is not null) { throw new InvalidOperationException("The server has already started."); }
            Open();
        }
    }

    /// <summary>Starts the server if it has not started, serves until the token is canceled, and then stops as <see cref="StopAsync"/> does.</summary>
    /// <param name="cancellationToken">Stops the server.</param>
    /// <exception cref="System.Net.Sockets.SocketException">An address is in use or does not belong to this machine.</exception>
    /// <exception cref="InvalidOperationException">The server has stopped, or <see cref="Run"/> or this method was already called.</exception>
    /// <exception cref="ObjectDisposedException">The server was disposed of.</exception>
    public async Task RunAsync(CancellationToken cancellationToken = default)
    {
        StartOnce();
        var stopped = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var registration = cancellationToken.UnsafeRegister(static source => ((TaskCompletionSource)source!).TrySetResult(), stopped);
        await Task.WhenAny(stopped.Task, Completion).ConfigureAwait(false);
        await StopAsync(CancellationToken.None).ConfigureAwait(false);
    }

    /// <summary>
    /// Starts the server if it has not started, and serves until the token is canceled. Blocks the calling thread until the server has ended.
    /// </summary>
    /// <param name="cancellationToken">Stops the server.</param>
    /// <exception cref="System.Net.Sockets.SocketException">An address is in use or does not belong to this machine.</exception>
    /// <exception cref="InvalidOperationException">The server has stopped, or this method or <see cref="RunAsync"/> was already called.</exception>
    /// <exception cref="ObjectDisposedException">The server was disposed of.</exception>
    public void Run(CancellationToken cancellationToken = default)
    {
        StartOnce();
        var mesh = _mesh!;
        using var registration = cancellationToken.UnsafeRegister(static mesh => ((EndpointLanes)mesh!).BeginStop(), mesh);
        mesh.WaitForEnd();
    }

    /// <summary>
    /// Stops the server. It accepts no new requests and answers those that it has accepted, for at most
    /// <see cref="CoapEndpointSettings.ShutdownTimeout"/>.
    /// </summary>
    /// <remarks>
    /// <para>If user code blocks a lane, the server needs a few more seconds to stop. It then stops without that lane and logs an error. The sockets of
    /// the lane are closed when the user code returns.</para>
    /// <para>A handler must not await this task, because the server waits for its handlers.</para>
    /// </remarks>
    /// <param name="cancellationToken">Ends the wait for handlers and peers before the timeout; only the token of the first call does. The task completes when the server has ended.</param>
    public Task StopAsync(CancellationToken cancellationToken = default) => _mesh?.StopAsync(cancellationToken) ?? Task.CompletedTask;

    /// <summary>Returns the state of the server, for example for a health check. Every lane must answer a probe, which finds a lane that a handler blocks.</summary>
    /// <param name="laneTimeout">The longest time to wait for the lanes.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <exception cref="ArgumentOutOfRangeException">The time is not positive.</exception>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    public Task<CoapServerState> GetStateAsync(TimeSpan laneTimeout, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(laneTimeout, TimeSpan.Zero);
        return ServerProbe.RunAsync(_mesh, _settings, laneTimeout, cancellationToken);
    }

    /// <summary>Returns a channel for sending requests to a peer, over the socket or connection that the peer uses itself.</summary>
    /// <param name="peer">The peer.</param>
    /// <exception cref="InvalidOperationException">The server has not started, or no endpoint of it reaches the peer.</exception>
    public IChannel OpenChannel(PeerIdentity peer) =>
        StartedMesh.OpenChannel(peer);

    /// <summary>
    /// Raised when a connection is accepted, or a session over datagrams such as DTLS begins. Plain datagrams have neither, so their peers raise no event.
    /// </summary>
    /// <remarks>
    /// Subscribers are called on the thread pool, one event at a time, and get the server as the sender. Their exceptions are logged. At most 4,096 channels
    /// wait for their first event, and those of one address may take as many of these places as are still free. Both events of a channel that finds no place
    /// are lost, and <see cref="LostChannelEvents"/> counts them. If the first event of a channel was raised, so is the last one.
    /// </remarks>
    public event EventHandler<ChannelEventArgs>? ChannelOpened { add => _events.Opened += value; remove => _events.Opened -= value; }

    /// <summary>Raised when a connection or a session over datagrams has ended, also when the server stops.</summary>
    /// <inheritdoc cref="ChannelOpened" path="/remarks"/>
    public event EventHandler<ChannelEventArgs>? ChannelClosed { add => _events.Closed += value; remove => _events.Closed -= value; }

    /// <summary>The number of events that were lost because subscribers were too slow. If it grows, list the channels again.</summary>
    public long LostChannelEvents => _events.Lost;

    /// <summary>Lists the open connections and the sessions over datagrams. Empty before the start and after the end.</summary>
    /// <param name="cancellationToken">Cancels the wait for a lane.</param>
    /// <remarks>
    /// The list is read while it is enumerated: first the connections, without a wait, and then the sessions of one lane after the other. Each lane copies its
    /// sessions in one turn, about 10 ms for 100,000 sessions. A channel that opens or closes meanwhile may be missing or be listed. Stop when you have
    /// enough. Peers that send plain datagrams are not listed, because the server keeps nothing about them.
    /// </remarks>
    /// <exception cref="InvalidOperationException">The caller is an inline handler, whose lane would wait for itself.</exception>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    public IEnumerable<ChannelDescription> GetChannels(CancellationToken cancellationToken = default) => _mesh?.Channels.All(cancellationToken) ?? [];

    /// <inheritdoc cref="GetChannels" path="/summary|/param|/remarks"/>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    public IAsyncEnumerable<ChannelDescription> GetChannelsAsync(CancellationToken cancellationToken = default) =>
        _mesh?.Channels.AllAsync(cancellationToken) ?? AsyncEnumerable.Empty<ChannelDescription>();

    /// <summary>Serves a WebSocket that a web host has accepted, until it closes (RFC 8323, section 4).</summary>
    /// <param name="socket">The open WebSocket. The server disposes of it. A limit of <see cref="WebSocketServerSettings"/> closes it with status 1008.</param>
    /// <param name="peer">The remote address, or a unique name of the connection.</param>
    /// <param name="local">The local address.</param>
    /// <param name="credentials">The credentials of the peer; <see langword="null"/> if it has none.</param>
    /// <param name="cancellationToken">Aborts the WebSocket. The task then completes without an exception.</param>
    /// <exception cref="ArgumentException">
    /// The WebSocket is not open, its subprotocol is not <see cref="WebSocketServerSettings.Subprotocol"/>, or <paramref name="peer"/> is empty.
    /// </exception>
    /// <exception cref="InvalidOperationException">The server has not started.</exception>
    /// <exception cref="CoapTransportException">The server has ended.</exception>
    public Task ServeWebSocketAsync(
        WebSocket socket, PeerIdentity peer, PeerIdentity local = default, PeerCredentials? credentials = null,
        CancellationToken cancellationToken = default) =>
        ServeWebSocketAsync(socket, SchemeFor(credentials), peer, local, credentials, cancellationToken);

    /// <summary>Serves a WebSocket that a web host has accepted, until it closes (RFC 8323, section 4).</summary>
    /// <param name="socket">The open WebSocket. The server disposes of it. A limit of <see cref="WebSocketServerSettings"/> closes it
    /// with status 1008.</param>
    /// <param name="scheme"><see cref="CoapScheme.CoapsWs"/> if the host uses TLS, otherwise <see cref="CoapScheme.CoapWs"/>.</param>
    /// <param name="peer">The remote address, or a unique name of the connection.</param>
    /// <param name="local">The local address.</param>
    /// <param name="credentials">The credentials of the peer; <see langword="null"/> if it has none.</param>
    /// <param name="cancellationToken">Aborts the WebSocket. The task then completes without an exception.</param>
    /// <inheritdoc cref="ServeWebSocketAsync(WebSocket, PeerIdentity, PeerIdentity, PeerCredentials?, CancellationToken)"
    /// path="/exception"/>
    public Task ServeWebSocketAsync(
        WebSocket socket, CoapScheme scheme, PeerIdentity peer, PeerIdentity local, PeerCredentials? credentials, CancellationToken cancellationToken)
    {
        ThrowIfNotWebSocket(scheme);
        ArgumentNullException.ThrowIfNull(socket);
        ThrowIfNone(peer);
        if (socket.State != WebSocketState.Open) { throw new ArgumentException($"The WebSocket is not open; its state is {socket.State}.", nameof(socket)); }
        if (socket.SubProtocol != WebSocketServerSettings.Subprotocol)
        {
            throw new ArgumentException(
                $"The subprotocol is '{socket.SubProtocol}'; it must be '{WebSocketServerSettings.Subprotocol}' (RFC 8323, section 4.1).", nameof(socket));
        }
        return StartedMesh.ServeAsync(new OpenWebSocket(socket, null, scheme), peer, local, credentials, cancellationToken);
    }

    /// <summary>
    /// Serves the stream of an HTTP/1.1 connection that a web host has upgraded to a WebSocket, until it closes. Faster under load than a WebSocket of
    /// the host, because several messages are written at once.
    /// </summary>
    /// <param name="upgraded">The stream after the opening handshake, in which the host has agreed on the subprotocol. The server disposes of it.</param>
    /// <param name="peer">The remote address, or a unique name of the connection.</param>
    /// <param name="local">The local address.</param>
    /// <param name="credentials">The credentials of the peer; <see langword="null"/> if it has none.</param>
    /// <param name="cancellationToken">Aborts the WebSocket. The task then completes without an exception.</param>
    /// <exception cref="ArgumentException"><paramref name="peer"/> is empty.</exception>
    /// <exception cref="InvalidOperationException">The server has not started.</exception>
    /// <exception cref="CoapTransportException">The server has ended.</exception>
    public Task ServeWebSocketAsync(
        Stream upgraded, PeerIdentity peer, PeerIdentity local = default, PeerCredentials? credentials = null,
        CancellationToken cancellationToken = default) =>
        ServeWebSocketAsync(upgraded, SchemeFor(credentials), peer, local, credentials, cancellationToken);

    /// <summary>Serves the stream of an HTTP/1.1 connection that a web host has upgraded to a WebSocket, until it closes.</summary>
    /// <param name="upgraded">The stream after the opening handshake, in which the host has agreed on the subprotocol. The server
    /// disposes of it.</param>
    /// <param name="scheme"><see cref="CoapScheme.CoapsWs"/> if the host uses TLS, otherwise <see cref="CoapScheme.CoapWs"/>.</param>
    /// <param name="peer">The remote address, or a unique name of the connection.</param>
    /// <param name="local">The local address.</param>
    /// <param name="credentials">The credentials of the peer; <see langword="null"/> if it has none.</param>
    /// <param name="cancellationToken">Aborts the WebSocket. The task then completes without an exception.</param>
    /// <inheritdoc cref="ServeWebSocketAsync(Stream, PeerIdentity, PeerIdentity, PeerCredentials?, CancellationToken)" path="/exception"/>
    public Task ServeWebSocketAsync(
        Stream upgraded, CoapScheme scheme, PeerIdentity peer, PeerIdentity local, PeerCredentials? credentials, CancellationToken cancellationToken)
    {
        ThrowIfNotWebSocket(scheme);
        ArgumentNullException.ThrowIfNull(upgraded);
        ThrowIfNone(peer);
        return StartedMesh.ServeAsync(OpenWebSocket.Over(upgraded, scheme), peer, local, credentials, cancellationToken);
    }

    // Without TLS there is no certificate, but a user can log in without TLS and with it.
    private static CoapScheme SchemeFor(PeerCredentials? credentials) =>
        credentials?.Certificate is null ? CoapScheme.CoapWs : CoapScheme.CoapsWs;

    private static void ThrowIfNotWebSocket(CoapScheme scheme)
    {
        if (scheme is not (CoapScheme.CoapWs or CoapScheme.CoapsWs))
        {
            throw new ArgumentException(
                $"The scheme of a WebSocket is CoapWs or CoapsWs, not {scheme} (RFC 8323, sections 8.3 and 8.4).", nameof(scheme));
        }
    }

    /// <summary>The number of open connections.</summary>
    internal int OpenConnections => _mesh?.OpenConnections ?? 0;

    /// <summary>The lanes of the server. Empty before the start.</summary>
    internal IEnumerable<Lane> Lanes => _mesh?.Lanes ?? [];

    /// <summary>Stops the server as <see cref="StopAsync"/> does.</summary>
    public async ValueTask DisposeAsync()
    {
        _isDisposed = true;
        await StopAsync().ConfigureAwait(false);
    }

    /// <summary>Stops the server as <see cref="StopAsync"/> does. Blocks the calling thread until the server has ended.</summary>
    public void Dispose()
    {
        _isDisposed = true;
        if (_mesh is not { } mesh) { return; }
        mesh.BeginStop();
        mesh.WaitForEnd();
    }

    private EndpointLanes StartedMesh => _mesh ?? throw new InvalidOperationException("The CoAP server has not started.");

    private static void ThrowIfNone(PeerIdentity peer)
    {
        if (peer.IsNone) { throw new ArgumentException("The WebSocket has no peer.", nameof(peer)); }
    }

    private void StartOnce()
    {
        lock (_gate)
        {
            ThrowIfStopped();
            if (_isRun) { throw new InvalidOperationException("The server is already running; Run or RunAsync was called before."); }
            if (_mesh is null) { Open(); }
            _isRun = true;
        }
    }

    private void Open() => _mesh = EndpointLanes.ForServer(_settings, _settings.Endpoints, _settings.ForListening(), Resources, _steps, _events);

    private void ThrowIfStopped()
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        if (_mesh is { IsStopping: true }) { throw new InvalidOperationException("The server has been stopped and cannot start again. Create a new one."); }
    }
}
