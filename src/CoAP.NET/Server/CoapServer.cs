using CoAP.Discovery;
using CoAP.Lanes;
using CoAP.Mesh;
using CoAP.Transports;

namespace CoAP;

/// <summary>A CoAP server over datagrams and connections.</summary>
/// <remarks>Safe for concurrent use. Map resources and add steps before you start the server.</remarks>
public sealed class CoapServer : IAsyncDisposable, IDisposable
{
    private readonly CoapServerSettings _settings;
    private readonly List<Func<RequestDelegate, RequestDelegate>> _steps = [];
    private readonly Lock _gate = new();
    private CoapMesh? _mesh;
    private bool _isDisposed;

    /// <summary>Creates a server. It binds its sockets when you start it.</summary>
    /// <param name="settings">The settings. Default: those of <see cref="CoapServerSettings"/>.</param>
    public CoapServer(CoapServerSettings? settings = null)
    {
        _settings = settings ?? new CoapServerSettings();
        if (_settings.ListsResources) { WellKnownCore.MapOn(Resources); }
    }

    /// <summary>The resources that the server offers.</summary>
    public ResourceMap Resources { get; } = new();

    /// <summary>The addresses that the server is bound to, with their actual ports. Empty before the start.</summary>
    public IReadOnlyList<ServerEndpoint> Endpoints => _mesh?.Endpoints ?? [];

    /// <summary>A task that completes when the server has ended. It fails if an internal error ended the server.</summary>
    public Task Completion => _mesh?.Completion ?? Task.CompletedTask;

    /// <summary>Adds a step around all requests, such as logging or authorization. The first step added is the outermost.</summary>
    /// <param name="step">Takes the next step, or the handler, and returns a delegate that calls it.</param>
    /// <exception cref="InvalidOperationException">The server has started.</exception>
    public CoapServer Use(Func<RequestDelegate, RequestDelegate> step)
    {
        ArgumentNullException.ThrowIfNull(step);
        lock (_gate)
        {
            if (_mesh is not null) { throw new InvalidOperationException("The server has started. Add steps before the start."); }
            _steps.Add(step);
        }
        return this;
    }

    /// <summary>Binds the sockets and starts to answer requests.</summary>
    /// <exception cref="System.Net.Sockets.SocketException">An address is in use or does not belong to this machine.</exception>
    /// <exception cref="InvalidOperationException">The server has already started.</exception>
    public void Start()
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            if (_mesh is not null) { throw new InvalidOperationException("The server has already started."); }
            _mesh = CoapMesh.ForServer(_settings, _settings.Endpoints, _settings.ForListening(), Resources, _steps);
        }
    }

    /// <summary>Starts the server if it has not started, serves until the token is canceled, and then stops as <see cref="StopAsync"/> does.</summary>
    /// <param name="cancellationToken">Stops the server.</param>
    /// <exception cref="System.Net.Sockets.SocketException">An address is in use or does not belong to this machine.</exception>
    public async Task RunAsync(CancellationToken cancellationToken = default)
    {
        StartOnce();
        var stopped = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var registration = cancellationToken.UnsafeRegister(static source => ((TaskCompletionSource)source!).TrySetResult(), stopped);
        await Task.WhenAny(stopped.Task, Completion).ConfigureAwait(false);
        await StopAsync().ConfigureAwait(false);
    }

    /// <summary>
    /// Starts the server if it has not started, and serves until the token is canceled. Blocks the calling thread until the server has ended.
    /// </summary>
    /// <inheritdoc cref="RunAsync" path="/param|/exception"/>
    public void Run(CancellationToken cancellationToken = default)
    {
        StartOnce();
        var mesh = _mesh!;
        using var registration = cancellationToken.UnsafeRegister(static mesh => ((CoapMesh)mesh!).BeginStop(), mesh);
        mesh.WaitForEnd();
    }

    /// <summary>
    /// Stops the server. It accepts no new requests and answers those that it has accepted, for at most
    /// <see cref="CoapEndpointSettings.ShutdownTimeout"/>.
    /// </summary>
    public Task StopAsync() => _mesh?.StopAsync() ?? Task.CompletedTask;

    /// <summary>Returns a channel for sending requests to a peer, over the socket or connection that the peer uses itself.</summary>
    /// <param name="peer">The peer.</param>
    /// <exception cref="InvalidOperationException">The server has not started, or no endpoint of it reaches the peer.</exception>
    public IChannel OpenChannel(PeerIdentity peer) =>
        (_mesh ?? throw new InvalidOperationException("The server has not started.")).OpenChannel(peer);

    /// <summary>Serves an open WebSocket until it ends. The server must have started.</summary>
    internal Task ServeAsync(OpenWebSocket socket, PeerIdentity peer, PeerIdentity local, PeerCredentials? credentials) =>
        (_mesh ?? throw new InvalidOperationException("The CoAP server has not started.")).ServeAsync(socket, peer, local, credentials);

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

    private void StartOnce()
    {
        if (_mesh is null) { Start(); }
    }
}
