using System.Net;
using CoAP.Datagrams;
using CoAP.Exchanges;
using CoAP.Groups;
using CoAP.Mesh;
using CoAP.Resources;
using CoAP.Robust;

namespace CoAP.TestSupport;

/// <summary>A client or server whose one lane has no thread: it takes its turns when the wire runs, in simulated time.</summary>
internal sealed class LaneEnd : IWireEnd, IDisposable
{
    // Thousands of ends are made in one run of the suite; each would reserve 48 MiB.
    private static readonly DeduplicationSettings Small = new() { Capacity = 4096, AnswerBufferSize = 262_144 };

    private readonly Wire _wire;
    private readonly CancellationTokenSource _stopping = new();
    private readonly EndpointParts _parts;
    private readonly PumpedRunner _runner = new();
    private bool _hasEnded;

    private LaneEnd(
        Wire wire, PeerIdentity self, CoapEndpointSettings settings, ResourceMap? resources, IReadOnlyList<ServerStep> steps)
    {
        _wire = wire;
        Self = self;
        settings = settings with
        {
            TimeProvider = wire.Time,
            LoggerFactory = Log,
            Deduplication = settings.Deduplication == new DeduplicationSettings() ? Small : settings.Deduplication,
        };
        var groups = settings.ServedGroups;
        var transport = wire.Network.OpenDatagrams(self, groups?.InMemoryGroups);
        _parts = new EndpointParts(settings, resources, steps, _stopping.Token);
        Lane = LaneMesh.Over(transport, _parts, out var mesh);
        Lane.Random = new Random(wire.Seed);
        Lane.RunBy(_runner);
        Mesh = mesh;
        wire.Attach(this);
    }

    public PeerIdentity Self { get; }

    public DatagramLane Lane { get; }

    /// <summary>The stages of the lane.</summary>
    public LaneMesh Mesh { get; }

    /// <summary>The request bodies that are on their way in blocks.</summary>
    public int BodiesUnderWay => ((RobustTransfers)Lane.Transfers).Blocks.Tags.Count;

    /// <summary>The bytes of response bodies that are not complete yet.</summary>
    public long HeldResponseBytes => ((RobustTransfers)Lane.Transfers).Blocks.Responses.Held;

    /// <summary>The security layer; <see langword="null"/> if there is none.</summary>
    public DatagramSecurityLayer? Security => _parts.Security;

    public TestLog Log { get; } = new();

    /// <summary>Whether the test expects a stage to fail outside of a request.</summary>
    public bool ToleratesFaults { get; set; }

    public TimeSpan? NextDeadline => _hasEnded || Lane.UntilNextDeadline is var ticks && ticks == long.MaxValue
        ? null
        : _wire.Time.Elapsed + TimeSpan.FromTicks(Lane.UntilNextDeadline);

    /// <summary>What the lane still remembers of exchanges; retained answers and message IDs do not count.</summary>
    public string Leftovers =>
        $"{Lane.Exchanges.Count} exchanges, {Lane.Exchanges.UnsettledCount} unsettled messages, {Lane.PendingRequests} pending requests, " +
        $"{Lane.Channels.Count} channels, {Lane.DeadlineCount} deadlines";

    public static LaneEnd Server(
        Wire wire, Action<ResourceMap> map, CoapServerSettings? settings = null, params Func<RequestDelegate, RequestDelegate>[] steps) =>
        Server(wire, map, settings, [.. steps.Select(static step => new ServerStep(step, DependsOnPeer: true))]);

    public static LaneEnd Server(Wire wire, Action<ResourceMap> map, CoapServerSettings? settings, IReadOnlyList<ServerStep> steps)
    {
        var resources = new ResourceMap();
        map(resources);
        return new(wire, wire.Server, settings ?? new CoapServerSettings(), resources, steps);
    }

    /// <summary>One of several servers.</summary>
    public static LaneEnd Member(Wire wire, string name, Action<ResourceMap> map, CoapServerSettings settings)
    {
        var resources = new ResourceMap();
        map(resources);
        return new(wire, PeerIdentity.From(name), settings, resources, []);
    }

    public static LaneEnd Client(Wire wire, CoapClientSettings? settings = null, string name = "client", Action<ResourceMap>? map = null) =>
        Client(wire, PeerIdentity.From(name), settings, map);

    /// <summary>A client whose address is an IP address, so that it can open further local ports.</summary>
    public static LaneEnd ClientAt(Wire wire, IPEndPoint address, CoapClientSettings? settings = null) =>
        Client(wire, PeerIdentity.From(address), settings, map: null);

    private static LaneEnd Client(Wire wire, PeerIdentity self, CoapClientSettings? settings, Action<ResourceMap>? map)
    {
        var resources = map is null ? null : new ResourceMap();
        map?.Invoke(resources!);
        return new(wire, self, settings ?? new CoapClientSettings(), resources, []);
    }

    /// <summary>A channel as users get it.</summary>
    public DatagramChannelHandle ChannelTo(PeerIdentity peer) => new(Lane, new ChannelKey(peer, Lane.LocalFor(peer)));

    /// <summary>Begins a request. The task completes in the turn in which the lane ends the exchange.</summary>
    public Task<CoapResponse> Send(CoapRequest request, PeerIdentity? to = null, CancellationToken cancellationToken = default) =>
        ChannelTo(to ?? _wire.Server).Begin(request, parked: false, cancellationToken).Caller.Task;

    /// <summary>Begins a request to a group.</summary>
    public GroupRequest Multicast(string group, CoapRequest request, MulticastRequestSettings? settings = null)
    {
        var identity = PeerIdentity.From(group);
        var options = RequestOptions.Of(request, identity);
        var begun = new GroupRequest(Lane, Mesh.Groups, new ChannelKey(identity, Lane.LocalFor(identity)), request, options, settings ?? new MulticastRequestSettings(), [0]);
        Lane.Post(begun);
        return begun;
    }

    public Task<CoapResponse> Get(string path, bool confirmable = true) => Send(new CoapRequest(RequestCode.Get, path) { IsConfirmable = confirmable });

    public bool Run()
    {
        if (_hasEnded) { return false; }
        var isDue = Lane.UntilNextDeadline == 0;
        var hasWorked = Lane.Turn();
        _runner.AwaitTags(Lane);
        if (!ToleratesFaults) { Log.ThrowIfFaulted(); }
        return hasWorked || isDue || Lane.HasInboxWork;
    }

    /// <summary>Waits, in real time, for a thread that has something for the lane, such as a buffered handler or a blocked caller.</summary>
    public void AwaitWork() => _runner.AwaitWork();

    /// <summary>Forgets what woke the lane so far, so that <see cref="AwaitWork"/> waits for what is to come.</summary>
    public void DiscardWork() => _runner.Work.Reset();

    /// <summary>Lets nothing new in; the answer is whether everything accepted was answered.</summary>
    public Task Drain() => Lane.DrainAsync(_stopping.Token);

    public void Dispose()
    {
        if (_hasEnded) { return; }
        _hasEnded = true;
        Lane.Turn();
        Lane.End();
        _parts.Pipeline.Complete();
        _parts.Security?.Dispose();
        _parts.Ledger.Dispose();
        _stopping.Dispose();
    }
}
