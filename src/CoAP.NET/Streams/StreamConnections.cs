using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Net.Sockets;
using CoAP.Lanes;
using CoAP.Transports;

namespace CoAP.Streams;

/// <summary>All connections of an endpoint: on which lane each lives, and how to find the one to a peer. Safe for concurrent use.</summary>
/// <remarks>Connections whose calls never wait are spread over the endpoint's stream lanes; one that has a thread has a lane of its own as well.</remarks>
internal sealed class StreamConnections : IStreamLaneOwner
{
    // Peers that close when they are asked to do so within a round trip or two.
    private static readonly TimeSpan ReleasePatience = TimeSpan.FromSeconds(1);

    private readonly StreamLaneSettings _settings;
    private readonly Action<StreamLane> _wire;
    private readonly SharedLanes _polled;
    private readonly SharedLanes _others;
    private readonly ConcurrentDictionary<PeerIdentity, StreamChannel> _byPeer = new();
    private readonly ConcurrentDictionary<StreamLane, LaneRunner> _lanes = new();
    private readonly StreamBudget _budget;
    private readonly Lock _gate = new();
    private volatile bool _isEnding;
    private bool _hasEnded;

    /// <param name="settings">The settings of the lanes.</param>
    /// <param name="maxInFlight">The bytes in flight on all connections together.</param>
    /// <param name="form">How connections are run.</param>
    /// <param name="wire">Links the stages of a new lane.</param>
    public StreamConnections(StreamLaneSettings settings, long maxInFlight, StreamLaneForm form, Action<StreamLane> wire)
    {
        (_settings, Form, _wire, _budget) = (settings, form, wire, new StreamBudget(maxInFlight));
        WebSockets = new(settings.Stream.MaxMessageSize, settings.Stream.MessageTimeout, settings.Lane.Time, _budget);
        (_polled, _others) = (new SharedLanes(this, isPolled: true), new SharedLanes(this, isPolled: false));
    }

    /// <summary>How connections are run.</summary>
    public StreamLaneForm Form { get; }

    /// <summary>What is taken of the messages of WebSockets.</summary>
    public WebSocketLimits WebSockets { get; }

    /// <summary>The connections that are open.</summary>
    public int Count => _byPeer.Count;

    /// <summary>The lanes on which there are connections, or were.</summary>
    public IEnumerable<StreamLane> Lanes => _lanes.Keys;

    /// <summary>Gives a connection to a lane; one that gets none is closed.</summary>
    /// <exception cref="SocketException">The system has no descriptor left for a lane.</exception>
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
        // Entered first, so that a handler of its first request finds it.
        _byPeer[channel.Peer] = channel;
        lane.Adopt(channel);
        if (_isEnding) { lane.Post(new LaneAction(() => channel.EndOrderly("The endpoint ends."))); }
        return channel;
    }

    public bool TryFind(PeerIdentity peer, [NotNullWhen(true)] out StreamChannel? channel) =>
        _byPeer.TryGetValue(peer, out channel) && channel is { HasOpened: true, IsClosed: false };

    public void OnClosed(StreamLane lane, StreamChannel channel)
    {
        Forget(channel);
        if (!lane.IsShared && _lanes.TryRemove(lane, out var runner)) { _ = runner.StopAsync(); }
    }

    /// <summary>Answers what was accepted, as far as patience goes.</summary>
    public Task DrainAsync(CancellationToken patience)
    {
        lock (_gate) { _isEnding = true; }
        return Task.WhenAll(_lanes.Keys.Select(lane => lane.DrainAsync(patience)));
    }

    /// <summary>Asks every peer to close, closes what is still open after a moment, and ends the lanes.</summary>
    public async Task EndAsync()
    {
        using var patience = new CancellationTokenSource(ReleasePatience, _settings.Lane.Time);
        await Task.WhenAll(_lanes.Keys.Select(lane => lane.ReleaseAsync(patience.Token))).ConfigureAwait(false);
        lock (_gate) { _hasEnded = true; }
        foreach (var channel in _byPeer.Values) { channel.Cut(); }
        await Task.WhenAll(_lanes.Values.Select(runner => runner.StopAsync())).ConfigureAwait(false);
    }

    private StreamLane LaneFor(IStreamConnection connection) => connection switch
    {
        { IsBlocking: true } => AddLane(isShared: false, isPolled: false),
        PolledConnection => _polled.Next(),
        _ => _others.Next(),
    };

    private void Forget(StreamChannel channel) => _byPeer.TryRemove(new(channel.Peer, channel));

    private StreamLane AddLane(bool isShared, bool isPolled)
    {
        var lane = new StreamLane(_settings, this, _budget, isShared, isPolled ? new ConnectionPoller() : null);
        _wire(lane);
        LaneRunner runner = isPolled || (isShared && Form.HasThread) ? new ThreadRunner(lane, "CoAP stream lane") : new PooledRunner(lane);
        lane.RunBy(runner);
        _lanes[lane] = runner;
        runner.Start();
        return lane;
    }

    /// <summary>Lanes of one form that connections share, one after the other; made for the first connection.</summary>
    private sealed class SharedLanes(StreamConnections owner, bool isPolled)
    {
        private StreamLane[] _lanes = [];
        private int _next;

        public StreamLane Next()
        {
            var lanes = Volatile.Read(ref _lanes);
            if (lanes.Length == 0) { lanes = Make(); }
            return lanes[(uint)Interlocked.Increment(ref _next) % (uint)lanes.Length];
        }

        private StreamLane[] Make()
        {
            lock (owner._gate)
            {
                if (_lanes.Length == 0) { Volatile.Write(ref _lanes, [.. AddLanes()]); }
                return _lanes;
            }
        }

        private List<StreamLane> AddLanes()
        {
            // A connection that came about so late would have a lane that nobody ends.
            if (owner._hasEnded) { throw new CoapTransportException("The endpoint has ended."); }
            List<StreamLane> lanes = [];
            try
            {
                while (lanes.Count < owner.Form.Lanes) { lanes.Add(owner.AddLane(isShared: true, isPolled)); }
            }
            catch (SocketException) when (lanes.Count > 0)
            {
                // The system has no descriptor left: those that there are have to do.
            }
            return lanes;
        }
    }
}
