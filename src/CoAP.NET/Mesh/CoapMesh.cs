using System.Net;
using System.Net.Sockets;
using CoAP.Channels;
using CoAP.Handlers;
using CoAP.Transports;

namespace CoAP.Mesh;

/// <summary>Owns the lanes of an endpoint, what runs them, and their end. How a lane is wired stands in <see cref="LaneWiring"/>.</summary>
internal sealed class CoapMesh : IDisposable
{
    private readonly CoapEndpointSettings _settings;
    private readonly HandlerPipeline _pipeline;
    private readonly CancellationTokenSource _stopping = new();
    private readonly TaskCompletionSource _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly List<(Lane Lane, LaneRunner Runner)> _lanes = [];
    private readonly List<ServerEndpoint> _endpoints = [];
    private DatagramLane[] _datagramLanes = [];
    private int _isStopping;

    private CoapMesh(
        CoapEndpointSettings settings, ResourceMap? resources, IReadOnlyList<Func<RequestDelegate, RequestDelegate>> steps)
    {
        _settings = settings;
        _pipeline = new HandlerPipeline(resources, steps, settings, _stopping.Token);
    }

    public IReadOnlyList<ServerEndpoint> Endpoints => _endpoints;

    public Task Completion => _completion.Task;

    public IReadOnlyList<DatagramLane> DatagramLanes => _datagramLanes;

    /// <summary>Binds what a server listens on and starts its lanes.</summary>
    public static CoapMesh ForServer(
        CoapServerSettings settings, ResourceMap resources, IReadOnlyList<Func<RequestDelegate, RequestDelegate>> steps)
    {
        var mesh = new CoapMesh(settings, resources, steps);
        IPEndPoint[] udp = [.. settings.Endpoints.Where(endpoint => endpoint.IsUdp).Select(endpoint => endpoint.Address)];
        if (udp.Length > 0)
        {
            mesh.AddDatagramLanes(UdpTransport.Bind(udp, settings.Lanes, settings.Udp));
            DatagramLane.Join(mesh._datagramLanes);
            mesh._endpoints.AddRange(mesh._datagramLanes[0].Transport.LocalEndPoints.Select(ServerEndpoint.Udp));
        }
        mesh.Start();
        return mesh;
    }

    /// <summary>Opens what a client sends from and starts its lanes.</summary>
    public static CoapMesh ForClient(CoapClientSettings settings, ResourceMap? resources)
    {
        var any = settings.LocalEndPoint ?? new IPEndPoint(Socket.OSSupportsIPv6 ? IPAddress.IPv6Any : IPAddress.Any, 0);
        var ports = Enumerable.Repeat(any, settings.LocalPorts).ToArray();
        var transports = Enumerable.Range(0, settings.Lanes).SelectMany(_ => UdpTransport.Bind(ports, lanes: 1, settings.Udp));
        return Over([.. transports], settings, resources, []);
    }

    /// <summary>Starts lanes over transports that were bound elsewhere.</summary>
    public static CoapMesh Over(
        IReadOnlyList<IDatagramTransport> transports, CoapEndpointSettings settings, ResourceMap? resources,
        IReadOnlyList<Func<RequestDelegate, RequestDelegate>> steps)
    {
        var mesh = new CoapMesh(settings, resources, steps);
        mesh.AddDatagramLanes(transports);
        mesh.Start();
        return mesh;
    }

    /// <summary>A channel to a peer over the lane that owns it.</summary>
    public IChannel OpenChannel(PeerIdentity peer)
    {
        if (_datagramLanes.Length == 0) { throw new InvalidOperationException($"There is no datagram endpoint that reaches {peer}."); }
        var lane = _datagramLanes[(int)(peer.Hash(0) % (ulong)_datagramLanes.Length)];
        return new DatagramChannelHandle(lane, new ChannelKey(peer, lane.LocalFor(peer)));
    }

    /// <summary>A channel to an address over the transport of a URI scheme; connections are shared and set up when needed.</summary>
    public ValueTask<IChannel> OpenChannelAsync(CoapScheme scheme, IPEndPoint peer, CancellationToken cancellationToken) => scheme == CoapScheme.Coap
        ? new(OpenChannel(PeerIdentity.From(peer)))
        : throw Unsupported(scheme);

    /// <summary>The same, blocking the calling thread while a connection is set up.</summary>
    public IChannel OpenChannel(CoapScheme scheme, IPEndPoint peer, CancellationToken cancellationToken) => scheme == CoapScheme.Coap
        ? OpenChannel(PeerIdentity.From(peer))
        : throw Unsupported(scheme);

    /// <summary>Begins the end without waiting for it.</summary>
    public void BeginStop() => _ = StopAsync();

    public async Task StopAsync()
    {
        if (Interlocked.Exchange(ref _isStopping, 1) == 0)
        {
            try
            {
                await EndAsync().ConfigureAwait(false);
                _completion.TrySetResult();
            }
            catch (Exception exception) // Whatever went wrong at the end is the endpoint's outcome.
            {
                _completion.TrySetException(exception);
            }
        }
        await _completion.Task.ConfigureAwait(false);
    }

    /// <summary>Parks the calling thread until the end.</summary>
    public void WaitForEnd()
    {
        using var ended = new ManualResetEventSlim();
        _ = Completion.ContinueWith(
            _ => ended.Set(), CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
        ended.Wait();
    }

    public void Dispose() => _stopping.Dispose();

    private void AddDatagramLanes(IReadOnlyList<IDatagramTransport> transports)
    {
        _datagramLanes = [.. transports.Select(transport => new DatagramLane(_settings, transport))];
        foreach (var lane in _datagramLanes)
        {
            LaneWiring.Wire(lane, _pipeline);
            var name = $"CoAP lane {_lanes.Count}";
            Add(lane, _settings.LaneForm == LaneForm.Thread ? new ThreadRunner(lane, name) : new PooledRunner(lane));
        }
    }

    private static NotSupportedException Unsupported(CoapScheme scheme) =>
        new($"There is no transport for '{scheme}' URIs; coap and coap+tcp have one.");

    private void Add(Lane lane, LaneRunner runner)
    {
        lane.RunBy(runner);
        _lanes.Add((lane, runner));
    }

    private void Start()
    {
        foreach (var (_, runner) in _lanes) { runner.Start(); }
    }

    private async Task EndAsync()
    {
        using var patience = new CancellationTokenSource(_settings.ShutdownTimeout, _settings.TimeProvider);
        foreach (var (lane, _) in _lanes) { await lane.DrainAsync(patience.Token).ConfigureAwait(false); }
        await _stopping.CancelAsync().ConfigureAwait(false);
        _pipeline.Complete();
        foreach (var (_, runner) in _lanes) { await runner.StopAsync().ConfigureAwait(false); }
    }
}
