using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using CoAP.Channels;
using CoAP.Handlers;
using CoAP.Options;
using CoAP.Serialization;
using CoAP.Transports;

namespace CoAP.Mesh;

/// <summary>All connections of an endpoint: on which lane each lives, and how to find the one to a peer. Safe for concurrent use.</summary>
/// <remarks>Connections whose calls never wait are spread over the endpoint's stream lanes; one that has a thread has a lane of its own as well.</remarks>
internal sealed class StreamConnections(CoapEndpointSettings settings, HandlerPipeline pipeline, StreamLaneForm form) : IStreamLaneOwner
{
    // Peers that close when they are asked to do so within a round trip or two.
    private static readonly TimeSpan ReleasePatience = TimeSpan.FromSeconds(1);

    private readonly StreamSerializer _serializer = new(settings.Options);
    private readonly OptionRegistry _understood = UnderstoodOptions.Of(settings.Options);
    private readonly ConcurrentDictionary<PeerIdentity, StreamChannel> _byPeer = new();
    private readonly ConcurrentDictionary<StreamLane, LaneRunner> _lanes = new();
    private readonly StreamBudget _budget = new(settings.MaxInFlightSize);
    private readonly Lock _gate = new();
    private StreamLane[] _shared = [];
    private int _next;
    private volatile bool _isEnding;

    /// <summary>What is taken of the messages of WebSockets.</summary>
    public WebSocketLimits WebSockets => field ??= new(settings.Stream.MaxMessageSize, settings.Stream.MessageTimeout, settings.TimeProvider, _budget);

    /// <summary>The connections that are open.</summary>
    public int Count => _byPeer.Count;

    /// <summary>Gives a connection to a lane.</summary>
    public StreamChannel Adopt(IStreamConnection connection)
    {
        var lane = connection.IsBlocking ? AddLane(isShared: false) : NextShared();
        var channel = lane.Adopt(connection, form.RunsHandlers && connection.IsBlocking);
        _byPeer[connection.Peer] = channel;
        // It may have gone before it was entered, or the endpoint may have ended meanwhile.
        if (channel.IsClosed) { Forget(channel); }
        if (_isEnding) { lane.Post(new LaneAction(channel.Dispose)); }
        return channel;
    }

    public bool TryFind(PeerIdentity peer, [NotNullWhen(true)] out StreamChannel? channel) =>
        _byPeer.TryGetValue(peer, out channel) && !channel.IsClosed;

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
        using var patience = new CancellationTokenSource(ReleasePatience, settings.TimeProvider);
        await Task.WhenAll(_lanes.Keys.Select(lane => lane.ReleaseAsync(patience.Token))).ConfigureAwait(false);
        foreach (var channel in _byPeer.Values) { channel.Cut(); }
        await Task.WhenAll(_lanes.Values.Select(runner => runner.StopAsync())).ConfigureAwait(false);
    }

    private void Forget(StreamChannel channel) => _byPeer.TryRemove(new(channel.Peer, channel));

    private StreamLane NextShared()
    {
        var shared = Volatile.Read(ref _shared);
        if (shared.Length == 0) { shared = AddShared(); }
        return shared[(uint)Interlocked.Increment(ref _next) % (uint)shared.Length];
    }

    private StreamLane[] AddShared()
    {
        lock (_gate)
        {
            if (_shared.Length == 0) { _shared = [.. Enumerable.Range(0, form.Lanes).Select(_ => AddLane(isShared: true))]; }
            return _shared;
        }
    }

    private StreamLane AddLane(bool isShared)
    {
        var lane = new StreamLane(settings, this, _budget, isShared);
        StreamWiring.Wire(lane, pipeline, _serializer, _understood);
        LaneRunner runner = isShared && form.HasThread ? new ThreadRunner(lane, "CoAP stream lane") : new PooledRunner(lane);
        lane.RunBy(runner);
        _lanes[lane] = runner;
        runner.Start();
        return lane;
    }
}

/// <summary>How connections are run.</summary>
/// <param name="Lanes">The lanes that connections without a thread share.</param>
/// <param name="HasThread">Whether such a lane has a thread of its own instead of turns on the thread pool.</param>
/// <param name="RunsHandlers">Whether a connection with a thread runs its handlers there.</param>
internal readonly record struct StreamLaneForm(int Lanes, bool HasThread, bool RunsHandlers)
{
    /// <summary>The form of a client.</summary>
    public static StreamLaneForm Client => new(1, HasThread: false, RunsHandlers: false);

    /// <summary>The form of a server.</summary>
    public static StreamLaneForm Of(ServerMode mode) => mode switch
    {
        ServerMode.Async => new(Environment.ProcessorCount, HasThread: false, RunsHandlers: false),
        ServerMode.AsyncSingle => new(1, HasThread: true, RunsHandlers: false),
        _ => new(1, HasThread: false, RunsHandlers: true),
    };
}
