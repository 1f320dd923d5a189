using System.Net;
using System.Net.Sockets;
using CoAP.Datagrams;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Resources;
using CoAP.Streams;
using CoAP.Transports;
using CoAP.Vocabulary;

namespace CoAP.Mesh;

/// <summary>Owns the lanes of an endpoint and their runners, and ends them. <see cref="LaneMesh"/> links the stages of one lane.</summary>
internal sealed class EndpointLanes : IChannelSource, IDisposable
{
    private readonly CoapEndpointSettings _settings;
    private readonly EndpointParts _parts;
    private readonly CancellationTokenSource _stopping = new();
    private readonly TaskCompletionSource _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly List<ServerEndpoint> _endpoints = [];
    private readonly List<IDisposable> _listeners = [];
    private readonly EndpointDatagrams _datagrams;
    private readonly StreamConnections _connections;
    private readonly StreamConnector _connector;
    private StreamListener? _listener;
    private readonly string _name;
    private int _isStopping;

    private EndpointLanes(
        CoapEndpointSettings settings, ResourceMap? resources, IReadOnlyList<ServerStep> steps, StreamLaneForm form, ChannelEvents? events = null)
    {
        (_settings, _name) = (settings, settings.LocalName ?? settings.Network?.NextName() ?? "");
        _parts = new EndpointParts(settings, resources, steps, _stopping.Token, events);
        Action<LaneRunner> watch = runner => _ = StopAfterDefectAsync(runner);
        _datagrams = new EndpointDatagrams(_parts, watch);
        _connections = new StreamConnections(settings.ForStreamLanes(_parts.Lane, _parts.Ledger), settings.MaxInFlightSize, form, lane => _ = new LaneMesh(lane, _parts))
        {
            OnSharedLane = watch,
        };
        _connector = new StreamConnector(settings.ForConnections(), _connections, _name);
    }

    /// <summary>The lanes over datagrams.</summary>
    public EndpointDatagrams Datagrams => _datagrams;

    public IReadOnlyList<ServerEndpoint> Endpoints => _endpoints;

    public Task Completion => _completion.Task;

    public int OpenConnections => _connections.Count;
    public ChannelList Channels => new(_connections, _datagrams);

    /// <summary>All lanes that exist now.</summary>
    public IEnumerable<Lane> Lanes => _datagrams.Lanes.Concat<Lane>(_connections.Lanes);

    /// <summary>Binds the endpoints of a server and starts its lanes.</summary>
    public static EndpointLanes ForServer(
        CoapEndpointSettings settings, IReadOnlyList<ServerEndpoint> endpoints, ListenSettings listen, ResourceMap resources,
        IReadOnlyList<ServerStep> steps, ChannelEvents? events = null)
    {
        var mesh = new EndpointLanes(settings, resources, steps, listen.Form, events);
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
        var mesh = new EndpointLanes(settings, resources, [], StreamLaneForm.Client);
        try
        {
            mesh._datagrams.SpreadsPorts = ports > 1;
            mesh._datagrams.Add(settings.Network is { } network ? [network.OpenDatagrams(PeerIdentity.From(mesh._name))] : Bind(settings, local, ports));
            mesh._parts.Security?.Start();
            mesh._datagrams.Start();
            return mesh;
        }
        catch
        {
            mesh.Abandon();
            throw;
        }
    }

    private static IDatagramTransport[] Bind(CoapEndpointSettings settings, IPEndPoint? local, int ports)
    {
        var any = local ?? new IPEndPoint(Socket.OSSupportsIPv6 ? IPAddress.IPv6Any : IPAddress.Any, 0);
        var places = Enumerable.Repeat(any, ports).ToArray();
        List<IDatagramTransport> bound = [];
        try
        {
            while (bound.Count < settings.Lanes)
            {
                bound.AddRange(UdpTransport.Bind(places, lanes: 1, settings.Udp, isDualMode: settings.IsDualMode, mayOpenPorts: true));
            }
            return [.. bound];
        }
        catch
        {
            foreach (var transport in bound) { transport.Dispose(); }
            throw;
        }
    }

    /// <summary>Returns the connection that the peer has opened, or a datagram channel to the peer if it has opened none.</summary>
    /// <exception cref="ArgumentException">The peer is empty, or its address is link-local without a zone.</exception>
    public IChannel OpenChannel(PeerIdentity peer)
    {
        if (peer.IsNone)
        {
            throw new ArgumentException("The peer is empty; a channel needs a peer with an address or a name.", nameof(peer));
        }
        if (_connections.TryFind(peer, out var connection)) { return connection.Handle; }
        return peer.ToIPEndPoint() is { Address: var address } && AddressZones.Find(address, zone: null) is { } problem
            ? throw new ArgumentException($"No channel can be opened: {problem.Text}.", nameof(peer))
            : _datagrams.Open(peer);
    }

    /// <summary>Returns a channel to a peer over the transport of a URI scheme. Connections are shared and opened on demand.</summary>
    /// <exception cref="CoapTransportException">No connection could be opened.</exception>
    public async ValueTask<IChannel> OpenChannelAsync(
        CoapScheme scheme, PeerIdentity peer, string host, bool mayWait, CancellationToken cancellationToken) => scheme switch
        {
            CoapScheme.Coap => _datagrams.Open(peer),
            CoapScheme.Coaps => OpenSecured(peer, host),
            _ => (await _connector.OpenAsync(StreamTarget.Of(scheme, peer, host), mayWait, cancellationToken).ConfigureAwait(false)).Handle,
        };

    /// <summary>Returns a channel to a peer over the transport of a URI scheme. Blocks the calling thread while a connection is opened.</summary>
    /// <inheritdoc cref="OpenChannelAsync" path="/exception"/>
    public IChannel OpenChannel(CoapScheme scheme, PeerIdentity peer, string host, bool mayWait, CancellationToken cancellationToken) => scheme switch
    {
        CoapScheme.Coap => _datagrams.Open(peer),
        CoapScheme.Coaps => OpenSecured(peer, host),
        _ => _connector.Open(StreamTarget.Of(scheme, peer, host), mayWait, cancellationToken).Handle,
    };

    /// <summary>Returns a channel over a local socket. Connections are shared and opened on demand.</summary>
    /// <inheritdoc cref="OpenChannelAsync(CoapScheme, PeerIdentity, string, bool, CancellationToken)" path="/exception"/>
    public async ValueTask<IChannel> OpenUnixAsync(string path, CancellationToken cancellationToken) =>
        (await _connector.OpenAsync(StreamTarget.Unix(path), mayWait: true, cancellationToken).ConfigureAwait(false)).Handle;

    /// <inheritdoc cref="OpenUnixAsync"/>
    public IChannel OpenUnix(string path, CancellationToken cancellationToken) => _connector.Open(StreamTarget.Unix(path), mayWait: true, cancellationToken).Handle;

    /// <summary>Serves a WebSocket that a web host has accepted, until it ends.</summary>
    public Task ServeAsync(
        OpenWebSocket socket, PeerIdentity peer, PeerIdentity local, PeerCredentials? credentials, CancellationToken cancellationToken) =>
        _listener!.ServeAsync(socket, peer, local, credentials, cancellationToken);

    /// <summary>Whether the endpoint is stopping or has stopped.</summary>
    public bool IsStopping => Volatile.Read(ref _isStopping) != 0;

    /// <summary>Starts to stop the endpoint and returns without waiting.</summary>
    public void BeginStop() => _ = EndOnceAsync(CancellationToken.None);

    public async Task StopAsync(CancellationToken cancellationToken = default)
    {
        var ending = EndOnceAsync(cancellationToken);
        _parts.Lane.Runtime.HelpBeforeAwait(_completion.Task);
        await ending.ConfigureAwait(false);
        await _completion.Task.ConfigureAwait(false);
    }

    private async Task EndOnceAsync(CancellationToken cancellationToken)
    {
        if (Interlocked.Exchange(ref _isStopping, 1) == 0)
        {
            try
            {
                await EndAsync(cancellationToken).ConfigureAwait(false);
                if (_listener is not null) { Log.Stopped(_parts.Lane.Log.Logger); }
                _completion.TrySetResult();
            }
            catch (Exception exception) // A failure of the shutdown becomes the outcome of the endpoint.
            {
                _completion.TrySetException(exception);
                _ = _completion.Task.Exception;     // marks it as observed, because nobody has to await the completion
            }
        }
    }

    /// <summary>Blocks the calling thread until the endpoint has stopped.</summary>
    /// <exception cref="InvalidOperationException">The calling thread runs a lane, which has to end first.</exception>
    public void WaitForEnd()
    {
        SynchronousCalls.CountWait();
        if (Lanes.Any(static lane => lane.IsOwnedByCaller))
        {
            throw new InvalidOperationException(
                "A handler that runs inline cannot wait for the end of an endpoint, because its lane would wait for itself. Call StopAsync and do not await it.");
        }
        _parts.Lane.Runtime.HelpUntilCompleted(_completion.Task);
        using var ended = new ManualResetEventSlim();
        _ = Completion.ContinueWith(_ => ended.Set(), CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
        ended.Wait();
    }

    public void Dispose() => _stopping.Dispose();

    /// <summary>Binds all endpoints, and then starts to accept messages and connections.</summary>
    private void Listen(IReadOnlyList<ServerEndpoint> endpoints, ListenSettings listen)
    {
        var logger = _parts.Lane.Log.Logger;
        ServerLog.Settings(logger, _settings, endpoints);
        BindDatagrams([.. endpoints.Where(static endpoint => endpoint.IsUdp)], LaneTraffic.Plain);
        BindDatagrams([.. endpoints.Where(static endpoint => endpoint.IsDtls)], LaneTraffic.Secured);
        var listener = _listener = new StreamListener(listen, _parts.Ledger, _parts.Lane.Log, _connections);
        _listeners.Add(listener);
        listener.Bind(endpoints, preferredPort: _endpoints.Where(static endpoint => endpoint.IsUdp).Select(endpoint => endpoint.Address.Port).FirstOrDefault());
        _endpoints.AddRange(listener.Endpoints);
        foreach (var name in endpoints.Select(endpoint => endpoint.Name).OfType<string>()) { ListenInMemory(name); }
        _parts.Security?.Start();
        _datagrams.RestoreObservations();
        _datagrams.Start();
        listener.Start();
        ServerLog.Listening(logger, _endpoints);
    }

    private void BindDatagrams(ServerEndpoint[] endpoints, LaneTraffic traffic)
    {
        if (endpoints.Length == 0) { return; }
        if (traffic == LaneTraffic.Secured && _parts.Security is null)
        {
            throw new InvalidOperationException(
                "A DTLS endpoint needs keys. Set CoapServerSettings.Dtls, for example to a DtlsServerSettings of the package CoAP.NET.Dtls.");
        }
        IPEndPoint[] places = [.. endpoints.Select(static endpoint => endpoint.Address)];
        var groups = traffic == LaneTraffic.Plain ? _settings.ServedGroups?.PlacesFor(places) : null;
        var transports = UdpTransport.Bind(places, _settings.Lanes, _settings.Udp, groups, NoteGroup, _settings.IsDualMode);
        _datagrams.Add(transports, traffic);
        _endpoints.AddRange(_datagrams.Join(transports.Length).Select(endpoints[0].At));
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
        _datagrams.Add([network.OpenDatagrams(identity, _settings.ServedGroups?.InMemoryGroups)]);
        _listeners.Add(network.Listen(identity, connection => _connections.Adopt(connection)));
        _endpoints.Add(ServerEndpoint.InMemory(name));
    }

    // Called if a port cannot be bound or a lane cannot be started.
    private void Abandon()
    {
        foreach (var listener in _listeners) { listener.Dispose(); }
        _datagrams.Abandon();
        _parts.Security?.Dispose();
        _parts.Ledger.Dispose();
    }

    private DatagramChannelHandle OpenSecured(in PeerIdentity peer, string host) => _parts.Security is { } security
        ? _datagrams.Open(security.IdentityOf(peer, host))
        : throw new NotSupportedException(
            "The client has no keys for \"coaps\" URIs. Set CoapClientSettings.Dtls, for example to a DtlsClientSettings of the package CoAP.NET.Dtls.");

    private async Task EndAsync(CancellationToken cancellationToken)
    {
        using var passed = new CancellationTokenSource(_settings.ShutdownTimeout, _settings.TimeProvider);
        using var timeout = CancellationTokenSource.CreateLinkedTokenSource(passed.Token, cancellationToken);
        _connector.End();
        foreach (var listener in _listeners) { listener.Dispose(); }
        await Task.WhenAll(_datagrams.DrainAsync(timeout.Token), _connections.DrainAsync(timeout.Token)).ConfigureAwait(false);
        if (timeout.IsCancellationRequested) { ServerLog.Unanswered(_parts.Lane.Log.Logger, _parts.Ledger.Requests.Used); }
        var canceled = _parts.Lane.Runtime.CancelLoggedAsync(_stopping, _parts.Pipeline.Log);
        await canceled.CompletesAsync(_settings.TimeProvider).ConfigureAwait(false);
        _parts.Pipeline.Complete();
        try { await Task.WhenAll(_connections.EndAsync(), _datagrams.EndAsync()).ConfigureAwait(false); }
        finally
        {
            if (_parts.Security is { } security)
            {
                await security.CompleteAsync().ConfigureAwait(false);
                security.Dispose();
            }
            if (_parts.Journal is { } journal) { await journal.CompleteAsync(_settings.TimeProvider).ConfigureAwait(false); }
            _parts.Ledger.Dispose();
        }
    }

    // Without one of its lanes, an endpoint would leave some peers without an answer forever.
    private async Task StopAfterDefectAsync(LaneRunner runner)
    {
        try { await runner.Ended.ConfigureAwait(false); }
        catch (Exception) // The runner has logged the defect. The completion of the endpoint reports it.
        {
            BeginStop();
        }
    }
}
