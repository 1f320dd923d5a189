using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Net.Sockets;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Transports;
using CoAP.Vocabulary;

namespace CoAP.Streams;

/// <summary>All connections of an endpoint. Assigns each to a lane and finds them by peer. Safe for concurrent use.</summary>
/// <remarks>Non-blocking connections are spread over the shared stream lanes. A blocking connection has its own thread and its own lane.</remarks>
internal sealed class StreamConnections
{
    // Long enough for peers that close within a round trip or two.
    private static readonly TimeSpan ReleaseTime = TimeSpan.FromSeconds(1);

    private readonly StreamLaneSettings _settings;
    private readonly Action<StreamLane> _wire;
    private readonly ConcurrentDictionary<PeerIdentity, StreamChannel> _byPeer = new();
    private readonly ConcurrentDictionary<StreamLane, LaneRunner> _lanes = new();
    private readonly LargeRequestBudget _largeRequests;
    private readonly Lock _gate = new();
    private StreamLane[] _polled = [];
    private StreamLane[] _others = [];
    private int _nextPolled;
    private int _nextOther;
    private volatile bool _isEnding;
    private bool _hasEnded;

    /// <param name="settings">The settings of the lanes.</param>
    /// <param name="maxInFlight">The most unsent bytes on all connections.</param>
    /// <param name="form">How connections are run.</param>
    /// <param name="wire">Links the stages of a new lane.</param>
    public StreamConnections(StreamLaneSettings settings, long maxInFlight, StreamLaneForm form, Action<StreamLane> wire)
    {
        (_settings, Form, _wire, _largeRequests) = (settings, form, wire, new LargeRequestBudget(maxInFlight));
        WebSockets = new(settings.Stream.MaxMessageSize, settings.Stream.MessageTimeout, settings.Lane.Time, settings.Ledger) { AbortAboveSize = settings.Stream.EffectiveAbortAboveSize };
    }

    /// <summary>How connections are run.</summary>
    public StreamLaneForm Form { get; }

    /// <summary>Called with the runner of each lane that serves many connections.</summary>
    public Action<LaneRunner> OnSharedLane { get; init; } = static _ => { };

    /// <summary>The limits of messages over WebSockets.</summary>
    public WebSocketLimits WebSockets { get; }

    /// <summary>The log of the endpoint.</summary>
    public EndpointLog Log => _settings.Lane.Log;

    /// <summary>The number of open connections.</summary>
    public int Count => _byPeer.Count;

    /// <summary>The lanes that serve connections.</summary>
    public IEnumerable<StreamLane> Lanes => _lanes.Keys;

    /// <summary>The open connections. Enumerated without locks; connections that open or close meanwhile may be missing.</summary>
    public IEnumerable<StreamChannel> Open => _byPeer.Select(static one => one.Value).Where(static channel => channel is { IsOpened: true, IsClosed: false });

    /// <summary>Assigns a connection to a lane. Closes it if there is none.</summary>
    /// <exception cref="SocketException">The system has no file descriptor left for a lane.</exception>
    /// <exception cref="CoapTransportException">The endpoint has ended.</exception>
    public StreamChannel Adopt(IStreamConnection connection)
    {
        StreamLane lane;
        try { lane = LaneFor(connection); }
        catch
        {
            connection.Dispose();
            throw;
        }
        var channel = new StreamChannel(lane, connection, Form.RunsHandlers && connection.IsBlocking);
        // Added first, so that the handler of the first request finds it.
        _byPeer[channel.Peer] = channel;
        lane.Adopt(channel);
        if (_isEnding) { lane.Post(new LaneAction(() => channel.Shutdown("The endpoint is shutting down."))); }
        return channel;
    }

    /// <summary>Finds the open connection of a peer.</summary>
    public bool TryFind(PeerIdentity peer, [NotNullWhen(true)] out StreamChannel? channel) =>
        _byPeer.TryGetValue(peer, out channel) && channel is { IsOpened: true, IsClosed: false };

    /// <summary>Finishes the requests in progress, until the token is canceled.</summary>
    public Task DrainAsync(CancellationToken deadline)
    {
        lock (_gate) { _isEnding = true; }
        return Task.WhenAll(_lanes.Keys.Select(lane => lane.DrainAsync(deadline)));
    }

    /// <summary>Releases all connections, closes those that are still open after a short time, and ends the lanes.</summary>
    public async Task EndAsync()
    {
        using var timeout = new CancellationTokenSource(ReleaseTime, _settings.Lane.Time);
        await Task.WhenAll(_lanes.Keys.Select(lane => lane.ReleaseAsync(timeout.Token))).ConfigureAwait(false);
        lock (_gate) { _hasEnded = true; }
        foreach (var channel in _byPeer.Values) { channel.Lifetime.CloseIfBlocking(); }
        await _lanes.Select(static one => ((ExchangeLane)one.Key, one.Value)).StopAsync(_settings.Lane.Time).ConfigureAwait(false);
    }

    private void OnClosed(StreamLane lane, StreamChannel channel)
    {
        _byPeer.TryRemove(new(channel.Peer, channel));
        if (!lane.IsShared && _lanes.TryRemove(lane, out var runner)) { _ = runner.StopAsync(); }
    }

    private StreamLane LaneFor(IStreamConnection connection) => connection switch
    {
        { IsBlocking: true } => AddLane(isShared: false, isPolled: false),
        { RaisesEventsOnLane: true } => NextOf(ref _polled, ref _nextPolled, isPolled: true),
        _ => NextOf(ref _others, ref _nextOther, isPolled: false),
    };

    /// <summary>Returns the next of the lanes that connections share in turn. The lanes are created for the first connection.</summary>
    private StreamLane NextOf(ref StreamLane[] lanes, ref int next, bool isPolled)
    {
        if (Volatile.Read(ref lanes).Length == 0)
        {
            lock (_gate)
            {
                if (lanes.Length == 0) { Volatile.Write(ref lanes, [.. AddLanes(isPolled)]); }
            }
        }
        return lanes[(uint)Interlocked.Increment(ref next) % (uint)lanes.Length];
    }

    private List<StreamLane> AddLanes(bool isPolled)
    {
        // No one would end a lane that is created now.
        if (_hasEnded) { throw _settings.Exchanges.EndError(); }
        List<StreamLane> lanes = [];
        try
        {
            while (lanes.Count < Form.Lanes) { lanes.Add(AddLane(isShared: true, isPolled)); }
        }
        catch (SocketException) when (lanes.Count > 0)
        {
            // The system has no file descriptor left. The lanes created so far serve the connections.
        }
        return lanes;
    }

    private StreamLane AddLane(bool isShared, bool isPolled)
    {
        var lane = new StreamLane(_settings, OnClosed, _largeRequests, isShared, isPolled ? new ConnectionPoller() : null);
        var hasThread = isPolled || (isShared && Form.HasThread && lane.Runtime.HasThreads);
        LaneRunner runner = hasThread ? new ThreadRunner(lane, "CoAP stream lane") : new PooledRunner(lane);
        try
        {
            _wire(lane);
            lane.RunBy(runner);
            runner.Start();
        }
        catch // The user's own stages are created here, and the system may have no thread left.
        {
            lane.End();
            throw;
        }
        _lanes[lane] = runner;
        if (isShared) { OnSharedLane(runner); }
        return lane;
    }
}
