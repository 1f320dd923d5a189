using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Transports;
using CoAP.Vocabulary;

namespace CoAP.Streams;

/// <summary>A lane over connections. Those that can go on are told by its set of sockets, or post themselves to its inbox.</summary>
internal sealed class StreamLane : ExchangeLane
{
    // What one connection hands to the mesh in one piece; a message that does not fit is put together outside.
    private const int SharedBuffer = 64 << 10;

    // For a lane that has but one connection, and as many such lanes as connections.
    private const int OwnBuffer = 8 << 10;

    // Connections with answers hold a buffer each: more of them at once would find none in the pool.
    private const int FlushedTogether = 16;

    private readonly IStreamLaneOwner _owner;
    private readonly ConnectionPoller? _sockets;
    private readonly HashSet<StreamChannel> _channels = [];
    private readonly List<StreamChannel> _dirty = [];
    private readonly SemaphoreSlim _sleep = new(0);
    private readonly WakeSignal _signal;
    private readonly TaskCompletionSource _end = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private List<StreamChannel> _heldBack = [];
    private TaskCompletionSource? _released;

    /// <param name="settings">The endpoint's.</param>
    /// <param name="owner">Is told when a connection is gone.</param>
    /// <param name="budget">The endpoint's.</param>
    /// <param name="isShared">Whether it serves many connections.</param>
    /// <param name="sockets">What tells of its connections, where they do not so themselves; the lane's own from now on.</param>
    public StreamLane(StreamLaneSettings settings, IStreamLaneOwner owner, StreamBudget budget, bool isShared, ConnectionPoller? sockets = null)
        : base(settings.Lane, settings.Exchanges, isReliable: true)
    {
        (Stream, SendTimeout, _owner, Budget, _sockets) = (settings.Stream, settings.SendTimeout, owner, budget, sockets);
        _signal = new WakeSignal(() => _sleep.Release());
        IsShared = isShared;
        Buffer = new byte[isShared ? SharedBuffer : OwnBuffer];
    }

    public StreamSettings Stream { get; }

    public TimeSpan SendTimeout { get; }

    public bool IsShared { get; }

    /// <summary>The connections that live here.</summary>
    public int ConnectionCount => _channels.Count;

    public Memory<byte> Buffer { get; }

    public StreamBudget Budget { get; }

    /// <summary>Requests, responses and Empty messages that came in.</summary>
    public override void Transmit(in Frame frame) => frame.Link!.Transmit(frame);

    /// <summary>Signals that came in. They change what the connection may do next, so nothing of the user's stands in their way.</summary>
    public Output<Frame> Signals { get; } = new();

    public bool IsHeldBack => PendingRequests >= Settings.MaxPendingRequests;

    /// <summary>Takes a connection in, or closes it where the lane has ended. Any thread.</summary>
    /// <summary>The source of signaling messages.</summary>
    public Output<OutgoingMessage> SignalsOut { get; } = new();

    public void Adopt(StreamChannel channel) => Post(new Adoption(this, channel));

    /// <summary>Releases all connections and completes when they are gone, or patience is over (RFC 8323, section 5.5).</summary>
    public async Task ReleaseAsync(CancellationToken patience)
    {
        var released = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var registration = patience.UnsafeRegister(static source => ((TaskCompletionSource)source!).TrySetResult(), released);
        Post(new Release(this, released));
        await released.Task.ConfigureAwait(false);
    }

    public void Receive(in Frame frame) => Emit(Incoming, frame);

    public void ReceiveSignal(in Frame frame) => Emit(Signals, frame);

    public void FlushLater(StreamChannel channel) => _dirty.Add(channel);

    public void ResumeLater(StreamChannel channel) => _heldBack.Add(channel);

    public void Remove(StreamChannel channel)
    {
        _channels.Remove(channel);
        if (_channels.Count == 0) { _released?.TrySetResult(); }
        _owner.OnClosed(this, channel);
    }

    public void RunHere(LaneWork work) => ((PooledRunner)Runner!).RunHere(work);

    public override void WaitForWork(TimeSpan timeout)
    {
        if (HasInboxWork) { return; }
        if (_sockets is not null)
        {
            _sockets.Wait(timeout);
            return;
        }
        if (!_signal.TrySleep()) { return; }
        _sleep.Wait(timeout == Timeout.InfiniteTimeSpan ? timeout : TimeSpan.FromTicks(Math.Clamp(timeout.Ticks, 0, TimeSpan.TicksPerHour)));
        _signal.Awake();
    }

    public override void WakeUp()
    {
        if (_sockets is not null) { _sockets.Wake(); }
        else { _signal.Set(); }
    }

    // Nothing but its inbox has work for it, and whoever posts there wakes it.
    public override ValueTask WaitAsync() => new(_end.Task);

    public override void Dispose()
    {
        foreach (var channel in _channels.ToArray()) { channel.Dispose(); }
        _released?.TrySetResult();
        _end.TrySetResult();
        _sockets?.Dispose();
    }

    // A connection that has just found room, possibly late in a turn, goes on in the next one: it must not be slept over.
    public override bool MustReceive => _sockets?.HasPending == true || CanResume;

    // Its one connection has a thread, which runs handlers.
    protected override bool MayBlock => !IsShared;

    // A large answer goes as the peer takes it.
    protected override bool IsDrained => base.IsDrained && !_channels.Any(static channel => channel.HasUnsentAnswers);

    private bool CanResume => _heldBack.Count > 0 && !IsHeldBack;

    protected override bool Receive() => ResumeHeldBack() | LookAtSockets();

    private bool LookAtSockets()
    {
        if (_sockets is not { } sockets) { return false; }
        var mayHaveMore = sockets.Poll();
        while (sockets.TryNext(out var connection))
        {
            Guard(connection, static connection => connection.RaiseEvents());
            if (_dirty.Count >= FlushedTogether) { Flush(); }
        }
        return mayHaveMore;
    }

    private bool ResumeHeldBack()
    {
        if (!CanResume) { return false; }
        var resuming = _heldBack;
        _heldBack = [];
        foreach (var channel in resuming) { Guard(channel, static channel => channel.Resume()); }
        return true;
    }

    protected override void Flush()
    {
        for (var i = 0; i < _dirty.Count; i++) { Guard(_dirty[i], static channel => channel.Flush()); }
        _dirty.Clear();
    }

    private void Emit(Output<Frame> output, in Frame frame)
    {
        try { output.Emit(frame); }
        catch (Exception exception) // The receive loop's edge: one message must not end the connection, nor the lane for all the others.
        {
            Log.StageFailed(Logger, exception, frame.Key.Peer);
        }
    }

    private sealed class Adoption(StreamLane lane, StreamChannel channel) : LaneWork
    {
        public override void Run()
        {
            if (channel.IsClosed) { return; }
            lane._channels.Add(channel);
            if (lane._sockets is { } sockets) { channel.Join(sockets); }
            channel.Open();
        }

        public override void Abandon() => channel.Dispose();
    }

    private sealed class Release(StreamLane lane, TaskCompletionSource released) : LaneWork
    {
        public override void Run()
        {
            lane._released = released;
            foreach (var channel in lane._channels.ToArray()) { channel.EndOrderly("The endpoint ends."); }
            if (lane._channels.Count == 0) { released.TrySetResult(); }
        }

        public override void Abandon() => released.TrySetResult();
    }
}

/// <summary>Is told what becomes of a lane's connections.</summary>
internal interface IStreamLaneOwner
{
    /// <summary>The connection is gone. On the lane, or where the lane had ended on any thread.</summary>
    void OnClosed(StreamLane lane, StreamChannel channel);
}
