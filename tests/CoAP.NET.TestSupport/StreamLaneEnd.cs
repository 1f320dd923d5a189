using CoAP.Blockwise;
using CoAP.Mesh;
using CoAP.Streams;
using CoAP.Transports;

namespace CoAP.TestSupport;

/// <summary>A client with one connection, or a server, whose lane has no thread: it takes its turns when the wire runs, in simulated time.</summary>
internal sealed class StreamLaneEnd : IWireEnd, IDisposable
{
    private const int PipeSize = 64 << 10;

    private readonly Wire _wire;
    private readonly CancellationTokenSource _stopping = new();
    private readonly EndpointParts _parts;
    private readonly PumpedRunner _runner = new();
    private readonly StreamChannel _channel;
    private readonly LargeRequestBudget _output;
    private bool _hasEnded;

    public StreamLaneEnd(Wire wire, CoapEndpointSettings settings, ResourceMap? resources = null)
    {
        _wire = wire;
        settings = settings with { TimeProvider = wire.Time, LoggerFactory = Log };
        _parts = new EndpointParts(settings, resources, [], _stopping.Token);
        _output = new LargeRequestBudget(settings.MaxInFlightSize);
        Lane = new StreamLane(settings.ForStreamLanes(_parts.Lane, _parts.Ledger), static (_, _) => { }, _output, isShared: true) { Random = new Random(wire.Seed) };
        _ = new LaneMesh(Lane, _parts);
        Lane.RunBy(_runner);
        wire.Attach(this);
        (_channel, PeerConnection) = Connect(PeerIdentity.From("client"), wire.Server);
    }

    public StreamLane Lane { get; }

    /// <summary>The received bytes of incomplete messages, and the unsent bytes.</summary>
    public long BytesInFlight => Lane.Ledger.Input.Book.Used + Lane.Ledger.UnsentBytes.Used + _output.Used;

    public TestLog Log { get; } = new();

    /// <summary>The server's end of the connection.</summary>
    public IStreamConnection PeerConnection { get; }

    /// <summary>A channel as users get it.</summary>
    public StreamChannelHandle Channel => _channel.Handle;

    /// <summary>The bytes of response bodies that are not complete yet.</summary>
    public long HeldResponseBytes => ((BlockTransfers)Lane.Transfers).Responses.Held;

    public TimeSpan? NextDeadline => _hasEnded || Lane.UntilNextDeadline is var ticks && ticks == long.MaxValue
        ? null
        : _wire.Time.Elapsed + TimeSpan.FromTicks(Lane.UntilNextDeadline);

    /// <summary>What the lane still remembers of exchanges.</summary>
    public string Leftovers => $"{Lane.Exchanges.Count} exchanges, {Lane.PendingRequests} pending requests, {BytesInFlight} bytes in flight";

    /// <summary>Opens a further connection and returns the end of the peer.</summary>
    public IStreamConnection Accept(string peer) => Accept(PeerIdentity.From(peer));

    /// <summary>Opens a further connection and returns the end of the peer.</summary>
    public IStreamConnection Accept(PeerIdentity peer) => Connect(_wire.Server, peer).Theirs;

    /// <summary>Adds a further connection.</summary>
    public void Accept(IStreamConnection connection) => Lane.Adopt(new StreamChannel(Lane, connection, runsHandlers: false));

    /// <summary>Begins a request.</summary>
    public Task<CoapResponse> Send(CoapRequest request) => Channel.Begin(request, parked: false, CancellationToken.None).Caller.Task;

    public bool Run()
    {
        if (_hasEnded) { return false; }
        var isDue = Lane.UntilNextDeadline == 0;
        var hasWorked = Lane.Turn();
        _runner.AwaitTags(Lane);
        Log.ThrowIfFaulted();
        return hasWorked || isDue || Lane.HasInboxWork;
    }

    /// <summary>Waits, in real time, for a thread that has something for the lane, such as a blocked caller.</summary>
    public void AwaitWork() => _runner.AwaitWork();

    /// <summary>Forgets what woke the lane so far, so that <see cref="AwaitWork"/> waits for what is to come.</summary>
    public void DiscardWork() => _runner.Work.Reset();

    public void Dispose()
    {
        if (_hasEnded) { return; }
        _hasEnded = true;
        Lane.Turn();
        Lane.End();
        _parts.Pipeline.Complete();
        _parts.Ledger.Dispose();
        _stopping.Dispose();
    }

    private (StreamChannel Channel, IStreamConnection Theirs) Connect(PeerIdentity self, PeerIdentity peer)
    {
        var (ours, theirs) = InMemoryConnection.CreatePair(self, peer, PipeSize);
        var channel = new StreamChannel(Lane, ours, runsHandlers: false);
        Lane.Adopt(channel);
        return (channel, theirs);
    }
}
