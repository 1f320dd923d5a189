using System.Net;
using CoAP.Datagrams;
using CoAP.Exchanges;
using CoAP.Groups;
using CoAP.Lanes;
using CoAP.Transports;

namespace CoAP.Mesh;

/// <summary>Owns the datagram lanes of an endpoint and their runners. Spreads peers over the lanes.</summary>
/// <param name="parts">What the lanes share.</param>
/// <param name="onLane">Called with the runner of each lane.</param>
internal sealed class EndpointDatagrams(EndpointParts parts, Action<LaneRunner> onLane)
{
    private const int MostInARow = 16;

    private readonly List<(ExchangeLane Lane, LaneRunner Runner)> _runners = [];
    private readonly List<byte[]> _gaps = [];
    // This many requests in a row use the same port, so that one system call can send them. NSTART allows no more in flight.
    private readonly uint _inARow = (uint)Math.Clamp(parts.Settings.Transmission.NStart, 1, MostInARow);
    private LaneMesh[] _meshes = [];
    private DatagramLane[] _lanes = [];
    private int[] _plain = [];      // the lanes with plain datagrams
    private int[] _secured = [];    // the lanes with a security layer, in the order in which the layer has built them
    private int _turn;
    private int _started;

    /// <summary>How much of each limit of the endpoint its peers hold.</summary>
    public Accounting.Ledger Ledger => parts.Ledger;

    /// <summary>The lanes.</summary>
    public IReadOnlyList<DatagramLane> Lanes => _lanes;

    /// <summary>Whether requests to a peer leave from several ports in turn.</summary>
    public bool SpreadsPorts { get; set; }

    /// <summary>Adds a lane for each transport.</summary>
    public void Add(IReadOnlyList<IDatagramTransport> transports, LaneTraffic traffic = LaneTraffic.Any)
    {
        foreach (var transport in transports)
        {
            var lane = LaneMesh.Over(transport, parts, out var mesh, traffic);
            _meshes = [.. _meshes, mesh];
            var name = $"CoAP lane {_runners.Count}";
            var hasThread = parts.Settings.LaneForm == LaneForm.Thread && lane.Runtime.HasThreads;
            LaneRunner runner = hasThread ? new ThreadRunner(lane, name) : new PooledRunner(lane);
            lane.RunBy(runner);
            onLane(runner);
            _runners.Add((lane, runner));
            _lanes = [.. _lanes, lane];
            if (traffic != LaneTraffic.Secured) { _plain = [.. _plain, _runners.Count - 1]; }
            if (traffic != LaneTraffic.Plain) { _secured = [.. _secured, _runners.Count - 1]; }
            // Objects that are allocated together stay together, even after a garbage collection. The gap keeps two lanes off the same cache line.
            _gaps.Add(new byte[UdpTransport.Gap]);
        }
    }

    /// <summary>Lets the last lanes, which share their ports, hand datagrams over to each other. Returns the addresses that they are bound to.</summary>
    public IReadOnlyList<IPEndPoint> Join(int count)
    {
        DatagramLane.Join(_lanes[^count..]);
        return _lanes[^1].Transport.LocalEndPoints;
    }

    /// <summary>Starts the lanes.</summary>
    /// <inheritdoc cref="LaneRunner.Start" path="/exception"/>
    public void Start()
    {
        for (; _started < _runners.Count; _started++) { _runners[_started].Runner.Start(); }
    }

    /// <summary>Returns a channel to a peer.</summary>
    /// <exception cref="InvalidOperationException">There is no datagram lane.</exception>
    public DatagramChannelHandle Open(in PeerIdentity peer)
    {
        if (IndexOf(peer) is not { } index) { throw new InvalidOperationException($"No datagram endpoint can reach {peer}."); }
        var lane = _lanes[index];
        var turn = SpreadsPorts ? (uint)Interlocked.Increment(ref _turn) / _inARow : 0;
        return new DatagramChannelHandle(lane, new ChannelKey(peer, lane.LocalFor(peer, turn)));
    }

    /// <summary>Sets the NSTART of a peer on all lanes; <see langword="null"/> restores the value of the settings.</summary>
    public void SetNStart(PeerIdentity peer, int? nStart)
    {
        foreach (var lane in _lanes) { lane.Post(new LaneAction(() => lane.Channels.SetNStart(peer, nStart))); }
    }

    /// <summary>Starts a request to a group on the first datagram lane.</summary>
    /// <exception cref="ArgumentException">The request does not fit into a message, or an interface does not exist.</exception>
    public GroupRequest BeginMulticast(in PeerIdentity group, CoapRequest request, MulticastRequestSettings settings, bool parked)
    {
        var lane = _lanes[0];
        if (parked) { lane.ThrowIfOwnedByCaller(); }
        else { SynchronousCalls.CountRequest(lane.IsOwnedByCaller); }
        var key = new ChannelKey(group, lane.LocalFor(group));
        var size = MessageLimits.SizeOf(request.Options, request.Payload.Length, isReliable: false);
        new DatagramChannelHandle(lane, key).ThrowIfTooLarge(size);
        var interfaces = settings.InterfacesFor(group);
        if (interfaces.Length == 0) { throw new CoapTransportException($"No network interface that is up reaches {group}."); }
        var begun = new GroupRequest(lane, _meshes[0].Groups, key, request, request.Options, settings, interfaces);
        lane.Post(begun);
        return begun;
    }

    /// <summary>Continues the observations of an earlier run.</summary>
    public void RestoreObservations()
    {
        if (parts.Journal is not { } journal) { return; }
        foreach (var saved in journal.List())
        {
            if (IndexOf(saved.Peer) is not { } index) { continue; }
            var observers = _meshes[index].Observers;
            _lanes[index].Post(new LaneAction(() => observers.Restore(saved, parts.Security?.CredentialsOf(new(saved.Peer, saved.Local)))));
        }
    }

    /// <summary>Stops accepting requests. Completes when the pending requests are answered, or when the token is canceled.</summary>
    public Task DrainAsync(CancellationToken timeout) => Task.WhenAll(_lanes.Select(lane => lane.DrainAsync(timeout)));

    /// <summary>Ends the lanes.</summary>
    public Task EndAsync() => _runners.StopAsync(parts.Settings.TimeProvider);

    /// <summary>Ends the lanes if not all of them could be started, so that their sockets are closed and their counters leave the metrics.</summary>
    public void Abandon()
    {
        foreach (var (_, runner) in _runners.Take(_started)) { _ = runner.StopAsync(); }
        foreach (var (lane, _) in _runners.Skip(_started)) { lane.End(); }
    }

    // A secured peer is never reached over a plain lane, even if there is no other.
    private int? IndexOf(in PeerIdentity peer) => parts.Security?.LaneOf(peer, Math.Max(1, _secured.Length)) is { } lane
        ? lane < _secured.Length ? _secured[lane] : null
        : _plain.Length > 0 ? _plain[peer.Hash(0) % (ulong)_plain.Length] : null;
}
