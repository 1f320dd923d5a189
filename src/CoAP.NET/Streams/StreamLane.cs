using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Transports;

namespace CoAP.Streams;

/// <summary>A lane over connections. Connections that are ready are reported by its poller, or post themselves to its inbox.</summary>
internal sealed class StreamLane : ExchangeLane
{
    // The most bytes of one receive. A message that does not fit is assembled outside the buffer.
    private const int SharedBuffer = 64 << 10;

    // For the lane of a single connection. There are as many such lanes as blocking connections.
    private const int OwnBuffer = 8 << 10;

    // Each connection with output holds a buffer of the pool. The pool does not keep enough buffers for more.
    private const int ConnectionsPerFlush = 16;

    // Each poll finds up to 256 connections.
    private const int MostPolls = 40;

    private readonly Action<StreamLane, StreamChannel> _onClosed;
    private readonly ConnectionPoller? _poller;
    private readonly HashSet<StreamChannel> _channels = [];
    private readonly List<StreamChannel> _unflushed = [];
    private readonly SemaphoreSlim _sleep = new(0);
    private readonly WakeSignal _signal;
    private readonly TaskCompletionSource _end = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private TaskCompletionSource? _released;

    /// <param name="settings">The settings.</param>
    /// <param name="onClosed">Called with a connection that is closed, on the lane; on any thread if the lane has ended.</param>
    /// <param name="largeRequests">The unsent bytes of large requests on all connections of the endpoint.</param>
    /// <param name="isShared">Whether the lane serves many connections.</param>
    /// <param name="poller">Reports the connections that do not report themselves. The lane disposes of it.</param>
    public StreamLane(
        StreamLaneSettings settings, Action<StreamLane, StreamChannel> onClosed, LargeRequestBudget largeRequests, bool isShared, ConnectionPoller? poller = null)
        : base(settings.Lane, settings.Exchanges, settings.Ledger, isReliable: true)
    {
        (Stream, SendTimeout, RequestServices) = (settings.Stream, settings.SendTimeout, settings.RequestServices);
        (_onClosed, LargeRequests, _poller) = (onClosed, largeRequests, poller);
        _signal = new WakeSignal(() => _sleep.Release());
        Turns = new StreamTurns(settings.Lane.Time, settings.Ledger.UnsentBytes, Post, RunTurn);
        IsShared = isShared;
        Buffer = new byte[isShared ? SharedBuffer : OwnBuffer];
    }

    public StreamSettings Stream { get; }

    public TimeSpan SendTimeout { get; }

    /// <summary>Creates the services of a request; <see langword="null"/> if requests have none.</summary>
    public Func<IncomingRequest, IServiceProvider>? RequestServices { get; }

    public bool IsShared { get; }

    /// <summary>The number of connections on the lane.</summary>
    public int ConnectionCount => _channels.Count;

    public Memory<byte> Buffer { get; }

    public LargeRequestBudget LargeRequests { get; }

    /// <summary>Decides which connection continues next.</summary>
    public StreamTurns Turns { get; }

    /// <summary>The source of signaling messages from peers. They change the state of their connection, so no user block is in their way.</summary>
    public Output<Frame> Signals { get; } = new();

    /// <summary>The source of signaling messages to peers.</summary>
    public Output<OutgoingMessage> SignalsOut { get; } = new();

    /// <summary>Ends requests whose refusal makes a stage fail; <see langword="null"/> before the stages of the lane are created.</summary>
    public RequestFailures? Failures { get; set; }

    /// <summary>The source of answers to requests that are refused before they are whole.</summary>
    public Output<Answer> Refusals { get; } = new();

    // A connection that found room late in a turn continues in the next turn. The lane must not sleep before it.
    public override bool MustReceive => _poller?.HasPending == true || Turns.HasReady;

    // The thread of the only connection runs handlers.
    protected override bool MayBlock => !IsShared;

    // A large response is sent as fast as the peer reads.
    protected override bool IsDrained => base.IsDrained && !_channels.Any(static channel => channel.HasUnsentResponses);

    public override void Transmit(in Frame frame) => frame.Link!.Transmit(frame);

    /// <summary>Adds a connection, or closes it if the lane has ended. Any thread.</summary>
    public void Adopt(StreamChannel channel) => Post(new Adoption(this, channel));

    /// <summary>Releases all connections and completes when they are closed, or when the token is canceled (RFC 8323, section 5.5).</summary>
    public async Task ReleaseAsync(CancellationToken deadline)
    {
        var released = new TaskCompletionSource(Runtime.Continuations);
        using var registration = deadline.UnsafeRegister(static source => ((TaskCompletionSource)source!).TrySetResult(), released);
        Post(new Release(this, released));
        await released.Task.ConfigureAwait(false);
    }

    private void CompleteRelease(TaskCompletionSource released) => Runtime.Complete(() => released.TrySetResult());

    /// <summary>Emits a request, a response or an Empty message of a peer.</summary>
    public void Receive(in Frame frame) => Emit(Incoming, frame);

    /// <summary>Emits a signaling message of a peer.</summary>
    public void ReceiveSignal(in Frame frame) => Emit(Signals, frame);

    /// <summary>Refuses a request that is not received as a whole.</summary>
    public void Refuse(IncomingRequest request, CoapResponse refusal)
    {
        try { Refusals.Emit(new Answer(request, refusal)); }
        catch (Exception exception) // A refusal that makes a stage fail ends its request here.
        {
            Failures!.Fail(request, exception);
        }
    }

    /// <summary>Flushes the connection at the end of the turn.</summary>
    public void FlushLater(StreamChannel channel) => _unflushed.Add(channel);

    public void Remove(StreamChannel channel)
    {
        _channels.Remove(channel);
        if (_channels.Count == 0 && _released is not null) { CompleteRelease(_released); }
        _onClosed(this, channel);
        if (channel.IsOpened) { Events?.OnClosed(channel, static channel => channel, static channel => channel.Describe()); }
    }

    /// <summary>Runs work on the calling thread, in a turn of the lane.</summary>
    public void RunHere(LaneWork work) => ((PooledRunner)Runner!).RunHere(work);

    public override void WaitForWork(TimeSpan timeout)
    {
        if (HasInboxWork) { return; }
        if (_poller is not null)
        {
            _poller.Wait(timeout);
            return;
        }
        if (!_signal.TrySleep()) { return; }
        _sleep.Wait(timeout == Timeout.InfiniteTimeSpan ? timeout : TimeSpan.FromTicks(Math.Clamp(timeout.Ticks, 0, TimeSpan.TicksPerHour)));
        _signal.Awake();
    }

    public override void WakeUp()
    {
        if (_poller is not null) { _poller.Wake(); }
        else { _signal.Set(); }
    }

    // The inbox is the only source of work. Posting to it wakes the lane.
    public override ValueTask WaitAsync() => new(_end.Task);

    public override void Dispose()
    {
        foreach (var channel in _channels.ToArray()) { channel.Dispose(); }
        _released?.TrySetResult();
        _end.TrySetResult();
        _poller?.Dispose();
    }

    protected override bool Receive()
    {
        var mayHaveMore = Poll();
        if (Turns.HasReady) { Turns.Run(); }
        return mayHaveMore || Turns.HasReady;
    }

    private void RunTurn(StreamPlace connection)
    {
        if (_unflushed.Count >= ConnectionsPerFlush) { Flush(); }
        Guard(connection, static connection => connection.RunTurn());
    }

    // Finds all connections that are ready. One that is found late would wait for the turns of those found before it.
    private bool Poll()
    {
        if (_poller is not { } poller) { return false; }
        bool mayHaveMore;
        var polls = 0;
        do
        {
            mayHaveMore = poller.Poll();
            while (poller.TryNext(out var connection)) { Guard(connection, static connection => connection.AnnounceReady()); }
        }
        while (mayHaveMore && ++polls < MostPolls);
        return mayHaveMore;
    }

    protected override void Flush()
    {
        if (_unflushed.Count == 0) { return; }
        Turns.StartClock();
        for (var i = 0; i < _unflushed.Count; i++)
        {
            Guard(_unflushed[i], static channel => channel.Flush());
            Turns.ChargeTime(_unflushed[i].Turn.Account);
        }
        _unflushed.Clear();
    }

    private void Emit(Output<Frame> output, in Frame frame)
    {
        try { output.Emit(frame); }
        catch (Exception exception) // The edge of the receive loop: one message must not end the connection or the lane.
        {
            Log.StageFailed(exception, frame.Key.Peer);
        }
    }

    private sealed class Adoption(StreamLane lane, StreamChannel channel) : LaneWork
    {
        public override void Run()
        {
            if (channel.IsClosed) { return; }
            lane._channels.Add(channel);
            channel.Open(lane._poller);
        }

        public override void Abandon() => channel.Dispose();
    }

    private sealed class Release(StreamLane lane, TaskCompletionSource released) : LaneWork
    {
        public override void Run()
        {
            lane._released = released;
            foreach (var channel in lane._channels.ToArray()) { channel.Shutdown("The endpoint is shutting down."); }
            if (lane._channels.Count == 0) { lane.CompleteRelease(released); }
        }

        public override void Abandon() => released.TrySetResult();
    }
}
