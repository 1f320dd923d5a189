using CoAP.Discovery;
using CoAP.Lanes;
using CoAP.Mesh;
using CoAP.Transports;

namespace CoAP;

/// <summary>A CoAP server over datagrams and connections of any kind, run in sync or async form.</summary>
/// <remarks>Map resources and add steps, then start. Safe for concurrent use.</remarks>
public sealed class CoapServer : IAsyncDisposable, IDisposable
{
    private readonly CoapServerSettings _settings;
    private readonly List<Func<RequestDelegate, RequestDelegate>> _steps = [];
    private readonly Lock _gate = new();
    private CoapMesh? _mesh;
    private bool _isDisposed;

    /// <summary>Makes a server that listens where the settings say, once it is started.</summary>
    public CoapServer(CoapServerSettings? settings = null)
    {
        _settings = settings ?? new CoapServerSettings();
        if (_settings.ListsResources) { WellKnownCore.MapOn(Resources); }
    }

    /// <summary>What the server answers for.</summary>
    public ResourceMap Resources { get; } = new();

    /// <summary>The addresses that the server is bound to, with the ports that were picked; empty before the start.</summary>
    public IReadOnlyList<ServerEndpoint> Endpoints => _mesh?.Endpoints ?? [];

    /// <summary>Completes when the server has ended; fails if it ended by a fault of its own.</summary>
    public Task Completion => _mesh?.Completion ?? Task.CompletedTask;

    /// <summary>Adds a step around all requests: logging, authorization and the like. The first one added is the outermost.</summary>
    /// <exception cref="InvalidOperationException">The server has started.</exception>
    public CoapServer Use(Func<RequestDelegate, RequestDelegate> step)
    {
        ArgumentNullException.ThrowIfNull(step);
        lock (_gate)
        {
            if (_mesh is not null) { throw new InvalidOperationException("Steps are added before the server starts."); }
            _steps.Add(step);
        }
        return this;
    }

    /// <summary>Binds the sockets and begins to answer.</summary>
    /// <exception cref="System.Net.Sockets.SocketException">An address is in use or not of this machine.</exception>
    /// <exception cref="InvalidOperationException">The server has started already.</exception>
    public void Start()
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            if (_mesh is not null) { throw new InvalidOperationException("The server has started already."); }
            _mesh = CoapMesh.ForServer(_settings, _settings.Endpoints, _settings.ForListening(), Resources, _steps);
        }
    }

    /// <summary>Starts if need be, serves until the token fires, and ends in an orderly way.</summary>
    /// <exception cref="System.Net.Sockets.SocketException">An address is in use or not of this machine.</exception>
    public async Task RunAsync(CancellationToken cancellationToken = default)
    {
        StartOnce();
        var stopped = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var registration = cancellationToken.UnsafeRegister(static source => ((TaskCompletionSource)source!).TrySetResult(), stopped);
        await Task.WhenAny(stopped.Task, Completion).ConfigureAwait(false);
        await StopAsync().ConfigureAwait(false);
    }

    /// <summary>Starts if need be, and blocks the calling thread until the token fires and the server has ended.</summary>
    /// <inheritdoc cref="RunAsync" path="/exception"/>
    public void Run(CancellationToken cancellationToken = default)
    {
        StartOnce();
        var mesh = _mesh!;
        using var registration = cancellationToken.UnsafeRegister(static mesh => ((CoapMesh)mesh!).BeginStop(), mesh);
        mesh.WaitForEnd();
    }

    /// <summary>Ends in an orderly way: nothing new is accepted, what was accepted is answered, at most for the set time.</summary>
    public Task StopAsync() => _mesh?.StopAsync() ?? Task.CompletedTask;

    /// <summary>A channel to a peer, to send requests to a device over the socket or connection that it uses itself.</summary>
    /// <param name="peer">The device.</param>
    /// <exception cref="InvalidOperationException">The server has not started, or has no endpoint that reaches the peer.</exception>
    public IChannel ClientFor(PeerIdentity peer) =>
        (_mesh ?? throw new InvalidOperationException("The server has not started.")).OpenChannel(peer);

    /// <summary>Serves an open WebSocket until it ends. The server has to be started.</summary>
    internal Task ServeAsync(OpenWebSocket socket, PeerIdentity peer, PeerIdentity local, PeerCredentials? credentials) =>
        (_mesh ?? throw new InvalidOperationException("The CoAP server has not started.")).ServeAsync(socket, peer, local, credentials);

    /// <summary>The connections that are open.</summary>
    internal int OpenConnections => _mesh?.OpenConnections ?? 0;

    /// <summary>The lanes that serve; none before the start.</summary>
    internal IEnumerable<Lane> Lanes => _mesh?.Lanes ?? [];

    /// <summary>Ends the server as <see cref="StopAsync"/> does.</summary>
    public async ValueTask DisposeAsync()
    {
        _isDisposed = true;
        await StopAsync().ConfigureAwait(false);
    }

    /// <summary>Ends the server and blocks until it has ended.</summary>
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
