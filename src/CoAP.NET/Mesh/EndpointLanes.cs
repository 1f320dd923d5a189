using System.Net;
using System.Net.Sockets;
using CoAP.Datagrams;
using CoAP.Exchanges;
using CoAP.Groups;
using CoAP.Lanes;
using CoAP.Streams;
using CoAP.Transports;
using CoAP.Vocabulary;

namespace CoAP.Mesh;

/// <summary>Owns the lanes of an endpoint and their runners, and ends them. <see cref="LaneMesh"/> links the stages of one lane.</summary>
internal sealed class EndpointLanes : IChannelSource, IDisposable
{
    private const int MostInARow = 16;

    private readonly CoapEndpointSettings _settings;
    private readonly EndpointParts _parts;
    private readonly CancellationTokenSource _stopping = new();
    private readonly TaskCompletionSource _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly List<(ExchangeLane Lane, LaneRunner Runner)> _lanes = [];
    private readonly List<byte[]> _gaps = [];
    private readonly List<ServerEndpoint> _endpoints = [];
    private readonly List<IDisposable> _listeners = [];
    private readonly StreamConnections _connections;
    private readonly StreamConnector _connector;
    private StreamListener? _listener;
    private LaneMesh[] _datagramMeshes = [];
    private DatagramLane[] _datagramLanes = [];
    private readonly string _name = $"endpoint-{Interlocked.Increment(ref _count)}";
    private bool _spreadsPorts;
    private readonly uint _inARow;      // so many requests in a row use the same port, because they leave in one call; NSTART allows no more
    private int _turn;
    private int _isStopping;
    private static int _count;

    private EndpointLanes(
        CoapEndpointSettings settings, ResourceMap? resources, IReadOnlyList<Func<RequestDelegate, RequestDelegate>> steps, StreamLaneForm form)
    {
        _settings = settings;
        _inARow = (uint)Math.Clamp(settings.Transmission.NStart, 1, MostInARow);
        _parts = new EndpointParts(settings, resources, steps, _stopping.Token);
        _connections = new StreamConnections(settings.ForStreamLanes(_parts.Lane, _parts.Ledger), settings.MaxInFlightSize, form, lane => _ = new LaneMesh(lane, _parts));
        _connector = new StreamConnector(settings.ForConnections(), _connections, _name);
    }

    public IReadOnlyList<ServerEndpoint> Endpoints => _endpoints;

    public Task Completion => _completion.Task;

    public int OpenConnections => _connections.Count;

    /// <summary>All lanes that exist now.</summary>
    public IEnumerable<Lane> Lanes => _lanes.Select(static one => one.Lane).Concat(_connections.Lanes);

    /// <summary>Binds the endpoints of a server and starts its lanes.</summary>
    public static EndpointLanes ForServer(
        CoapEndpointSettings settings, IReadOnlyList<ServerEndpoint> endpoints, ListenSettings listen, ResourceMap resources,
        IReadOnlyList<Func<RequestDelegate, RequestDelegate>> steps)
    {
        var mesh = new EndpointLanes(settings, resources, steps, listen.Form);
        try
        {
            mesh.Listen(endpoints, listen);
            return mesh;
        }
        catch
        {
            mesh.Abandon();
            throw;
        }
    }

    /// <summary>Binds the ports of a client and starts its lanes.</summary>
    /// <param name="settings">The settings of the client.</param>
    /// <param name="local">The local address; <see langword="null"/> if the system chooses.</param>
    /// <param name="ports">The number of local ports of each lane.</param>
    /// <param name="resources">The resources that the client itself serves.</param>
    public static EndpointLanes ForClient(CoapEndpointSettings settings, IPEndPoint? local, int ports, ResourceMap? resources)
    {
        var mesh = new EndpointLanes(settings, resources, [], StreamLaneForm.Client) { _spreadsPorts = ports > 1 };
        mesh.AddDatagramLanes(settings.Network is { } network ? [network.OpenDatagrams(PeerIdentity.From(mesh._name))] : Bind(settings, local, ports));
        mesh.Start();
        return mesh;
    }

    private static IDatagramTransport[] Bind(CoapEndpointSettings settings, IPEndPoint? local, int ports)
    {
        var any = local ?? new IPEndPoint(Socket.OSSupportsIPv6 ? IPAddress.IPv6Any : IPAddress.Any, 0);
        var places = Enumerable.Repeat(any, ports).ToArray();
        return [.. Enumerable.Range(0, settings.Lanes).SelectMany(_ => UdpTransport.Bind(places, lanes: 1, settings.Udp, isDualMode: settings.IsDualMode))];
    }

    /// <summary>Returns the connection that the peer has opened, or a datagram channel to the peer if it has opened none.</summary>
    public IChannel OpenChannel(PeerIdentity peer) => _connections.TryFind(peer, out var connection) ? connection.Handle : OpenDatagrams(peer);

    /// <summary>Sets the NSTART of a peer on all datagram lanes; <see langword="null"/> restores the value of the settings.</summary>
    public void SetNStart(PeerIdentity peer, int? nStart)
    {
        foreach (var lane in _datagramLanes) { lane.Post(new LaneAction(() => lane.Channels.SetNStart(peer, nStart))); }
    }

    /// <summary>Returns a channel to a peer over the transport of a URI scheme. Connections are shared and opened on demand.</summary>
    /// <exception cref="CoapTransportException">No connection could be opened.</exception>
    public async ValueTask<IChannel> OpenChannelAsync(
        CoapScheme scheme, PeerIdentity peer, string host, bool mayWait, CancellationToken cancellationToken) => scheme switch
        {
            CoapScheme.Coap => OpenDatagrams(peer),
            not CoapScheme.Coaps => (await _connector.OpenAsync(StreamTarget.Of(scheme, peer, host), mayWait, cancellationToken).ConfigureAwait(false)).Handle,
            _ => throw Unsupported(scheme),
        };

    /// <summary>Returns a channel to a peer over the transport of a URI scheme. Blocks the calling thread while a connection is opened.</summary>
    /// <inheritdoc cref="OpenChannelAsync" path="/exception"/>
    public IChannel OpenChannel(CoapScheme scheme, PeerIdentity peer, string host, bool mayWait, CancellationToken cancellationToken) => scheme switch
    {
        CoapScheme.Coap => OpenDatagrams(peer),
        not CoapScheme.Coaps => _connector.Open(StreamTarget.Of(scheme, peer, host), mayWait, cancellationToken).Handle,
        _ => throw Unsupported(scheme),
    };

    /// <summary>Starts a request to a group on the first datagram lane.</summary>
    /// <exception cref="ArgumentException">The request does not fit into a message, or an interface does not exist.</exception>
    public GroupRequest BeginMulticast(in PeerIdentity group, CoapRequest request, MulticastRequestSettings settings, bool parked)
    {
        var lane = _datagramLanes[0];
        if (parked) { lane.ThrowIfOwnedByCaller(); }
        var key = new ChannelKey(group, lane.LocalFor(group));
        var size = MessageLimits.SizeOf(request.Options, request.Payload.Length, isReliable: false);
        new DatagramChannelHandle(lane, key).ThrowIfTooLarge(size);
        var interfaces = settings.InterfacesFor(group);
        if (interfaces.Length == 0) { throw new CoapTransportException($"No network interface that is up reaches {group}."); }
        var begun = new GroupRequest(lane, _datagramMeshes[0].Groups, key, request, request.Options, settings, interfaces);
        lane.Post(begun);
        return begun;
    }

    /// <summary>Returns a channel over a local socket. Connections are shared and opened on demand.</summary>
    /// <inheritdoc cref="OpenChannelAsync(CoapScheme, PeerIdentity, string, bool, CancellationToken)" path="/exception"/>
    public async ValueTask<IChannel> OpenUnixAsync(string path, CancellationToken cancellationToken) =>
        (await _connector.OpenAsync(UnixTarget(path), mayWait: true, cancellationToken).ConfigureAwait(false)).Handle;

    /// <inheritdoc cref="OpenUnixAsync"/>
    public IChannel OpenUnix(string path, CancellationToken cancellationToken) => _connector.Open(UnixTarget(path), mayWait: true, cancellationToken).Handle;

    private static StreamTarget UnixTarget(string path) =>
        new(CoapScheme.CoapTcp, PeerIdentity.From($"unix:{path}"), "") { UnixPath = path };

    /// <summary>Serves a WebSocket that a web host has accepted, until it ends.</summary>
    public Task ServeAsync(
        OpenWebSocket socket, PeerIdentity peer, PeerIdentity local, PeerCredentials? credentials, CancellationToken cancellationToken) =>
        _listener!.ServeAsync(socket, peer, local, credentials, cancellationToken);

    /// <summary>Whether the endpoint is stopping or has stopped.</summary>
    public bool IsStopping => Volatile.Read(ref _isStopping) != 0;

    /// <summary>Starts to stop the endpoint and returns without waiting.</summary>
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
            catch (Exception exception) // A failure of the shutdown becomes the outcome of the endpoint.
            {
                _completion.TrySetException(exception);
            }
        }
        await _completion.Task.ConfigureAwait(false);
    }

    /// <summary>Blocks the calling thread until the endpoint has stopped.</summary>
    /// <exception cref="InvalidOperationException">The calling thread runs a lane, which has to end first.</exception>
    public void WaitForEnd()
    {
        if (Lanes.Any(static lane => lane.IsOwnedByCaller))
        {
            throw new InvalidOperationException(
                "A handler that runs inline cannot wait for the end of an endpoint, because its lane would wait for itself. Call StopAsync and do not await it.");
        }
        using var ended = new ManualResetEventSlim();
        _ = Completion.ContinueWith(_ => ended.Set(), CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
        ended.Wait();
    }

    public void Dispose() => _stopping.Dispose();

    private DatagramChannelHandle OpenDatagrams(in PeerIdentity peer)
    {
        if (_datagramLanes.Length == 0) { throw new InvalidOperationException($"No datagram endpoint can reach {peer}."); }
        var lane = _datagramLanes[(int)(peer.Hash(0) % (ulong)_datagramLanes.Length)];
        var turn = _spreadsPorts ? (uint)Interlocked.Increment(ref _turn) / _inARow : 0;
        return new DatagramChannelHandle(lane, new ChannelKey(peer, lane.LocalFor(peer, turn)));
    }

    /// <summary>Binds all endpoints, and then starts to accept messages and connections.</summary>
    private void Listen(IReadOnlyList<ServerEndpoint> endpoints, ListenSettings listen)
    {
        IPEndPoint[] udp = [.. endpoints.Where(endpoint => endpoint.IsUdp).Select(endpoint => endpoint.Address)];
        if (udp.Length > 0)
        {
            AddDatagramLanes(UdpTransport.Bind(udp, _settings.Lanes, _settings.Udp, _settings.ServedGroups?.PlacesFor(udp), NoteGroup, _settings.IsDualMode));
            DatagramLane.Join(_datagramLanes);
            _endpoints.AddRange(_datagramLanes[0].Transport.LocalEndPoints.Select(ServerEndpoint.Udp));
        }
        var listener = _listener = new StreamListener(listen, _parts.Ledger, _parts.Lane.Log, _connections);
        _listeners.Add(listener);
        listener.Bind(endpoints, preferredPort: _endpoints.Select(endpoint => endpoint.Address.Port).FirstOrDefault());
        _endpoints.AddRange(listener.Endpoints);
        foreach (var name in endpoints.Select(endpoint => endpoint.Name).OfType<string>()) { ListenInMemory(name); }
        RestoreObservations();
        Start();
        listener.Start();
    }

    private void NoteGroup(IPEndPoint group, int interfaces)
    {
        var logger = _parts.Lane.Log.Logger;
        if (interfaces > 0) { Log.GroupJoined(logger, group.ToString(), interfaces); }
        else { Log.GroupNotJoined(logger, group.ToString()); }
    }

    private void ListenInMemory(string name)
    {
        var network = _settings.Network
            ?? throw new InvalidOperationException($"Endpoint '{name}' is an in-memory endpoint, but the settings have no Network.");
        var identity = PeerIdentity.From(name);
        AddDatagramLanes([network.OpenDatagrams(identity, _settings.ServedGroups?.InMemoryGroups)]);
        _listeners.Add(network.Listen(identity, connection => _connections.Adopt(connection)));
        _endpoints.Add(ServerEndpoint.InMemory(name));
    }

    // Called if binding fails, before anything is started.
    private void Abandon()
    {
        foreach (var listener in _listeners) { listener.Dispose(); }
        foreach (var (lane, _) in _lanes) { lane.Dispose(); }
    }

    private void AddDatagramLanes(IReadOnlyList<IDatagramTransport> transports)
    {
        foreach (var transport in transports)
        {
            var lane = LaneMesh.Over(transport, _parts, out var stages);
            _datagramMeshes = [.. _datagramMeshes, stages];
            var name = $"CoAP lane {_lanes.Count}";
            LaneRunner runner = _settings.LaneForm == LaneForm.Thread ? new ThreadRunner(lane, name) : new PooledRunner(lane);
            lane.RunBy(runner);
            _lanes.Add((lane, runner));
            _datagramLanes = [.. _datagramLanes, lane];
            // Objects that are allocated together stay together, even after a garbage collection. The gap keeps two lanes off the same cache line.
            _gaps.Add(new byte[UdpTransport.Gap]);
        }
    }

    private static NotSupportedException Unsupported(CoapScheme scheme) =>
        new($"{scheme.GetName()} URIs need DTLS, which is not supported. Use coap, coap+tcp, coaps+tcp, coap+ws or coaps+ws.");

    private void Start()
    {
        foreach (var (_, runner) in _lanes) { runner.Start(); }
    }

    private async Task EndAsync()
    {
        using var timeout = new CancellationTokenSource(_settings.ShutdownTimeout, _settings.TimeProvider);
        _connector.End();
        foreach (var listener in _listeners) { listener.Dispose(); }
        var draining = _lanes.Select(lane => lane.Lane.DrainAsync(timeout.Token)).Append(_connections.DrainAsync(timeout.Token));
        await Task.WhenAll(draining).ConfigureAwait(false);
        await _stopping.CancelLoggedAsync(_parts.Pipeline.Log).CompletesAsync(_settings.TimeProvider).ConfigureAwait(false);
        _parts.Pipeline.Complete();
        await Task.WhenAll(_connections.EndAsync(), _lanes.StopAsync(_settings.TimeProvider)).ConfigureAwait(false);
        if (_parts.Journal is { } journal) { await journal.CompleteAsync().ConfigureAwait(false); }
        _parts.Ledger.Dispose();
    }

    private void RestoreObservations()
    {
        if (_parts.Journal is not { } journal || _datagramLanes.Length == 0) { return; }
        foreach (var saved in journal.List())
        {
            var index = (int)(saved.Peer.Hash(0) % (ulong)_datagramLanes.Length);
            var observers = _datagramMeshes[index].Observers;
            _datagramLanes[index].Post(new LaneAction(() => observers.Restore(saved)));
        }
    }
}
