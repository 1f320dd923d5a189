using CoAP.Reliability;
using CoAP.Runtimes;
using CoAP.Vocabulary;
using Microsoft.Extensions.Logging;

namespace CoAP.Lanes;

/// <summary>
/// A single-owner engine that works in turns. A turn drains the inbox, receives a batch, calls the deadlines that are due and flushes the output.
/// One thread at a time takes a turn. The protocol state of the lane's peers is used in turns only and needs no locks.
/// </summary>
internal abstract class Lane : ILane, IDisposable
{
    [ThreadStatic]
    private static Lane? _current;

    private readonly LaneSettings _settings;
    private readonly Inbox _inbox = new();
    private readonly DeadlineQueue<ILaneDeadline> _deadlines = new();
    private readonly List<IDisposable> _parts = [];
    private readonly List<PendingResponse> _answered = [];
    private Action? _afterTurn;
    private Action? _wake;
    private TaskCompletionSource? _drained;
    private volatile bool _hasEnded;

    protected Lane(LaneSettings settings, LaneCounters metrics)
    {
        (_settings, Metrics) = (settings, metrics);
        (Random, HashKey) = (settings.Runtime.NewRandom(), settings.Runtime.RandomNumber());
        Origin = settings.Time.GetTimestamp();
        ReadClock();
        CoapMeter.Add(Metrics);
    }

    /// <summary>The time of the current turn, in ticks of 100 ns since <see cref="Origin"/>. It never goes back.</summary>
    public long Now { get; private set; }

    /// <summary>The timestamp of the clock at which <see cref="Now"/> was 0.</summary>
    public long Origin { get; }

    /// <summary>The clock that <see cref="Now"/> is read from.</summary>
    public TimeProvider Time => _settings.Time;

    /// <summary>Runs the turns and user code.</summary>
    public EndpointRuntime Runtime => _settings.Runtime;

    public EndpointLog Log => _settings.Log;

    public ILogger Logger => _settings.Log.Logger;

    public LaneCounters Metrics { get; }

    /// <summary>Random numbers for timeouts and delays. They are not secret.</summary>
    public Random Random { get; set; }

    /// <summary>The secret key of hashes, so that an attacker cannot provoke collisions in hash tables.</summary>
    public ulong HashKey { get; }

    /// <summary>The number of received requests without an answer.</summary>
    public abstract int PendingRequests { get; }

    /// <summary>Whether the endpoint is shutting down, so that the lane takes no new requests.</summary>
    public bool IsDraining { get; private set; }

    /// <summary>Whether the calling thread is running a turn of any lane.</summary>
    public static bool IsAnyOwnedByCaller => _current is not null;

    /// <summary>Whether the calling thread is running a turn of this lane.</summary>
    public bool IsOwnedByCaller => _current == this;

    /// <summary>Whether the last turn has run, so that nothing more is sent.</summary>
    public bool HasEnded => _hasEnded;

    /// <summary>Whether the inbox contains work.</summary>
    public bool HasInboxWork => !_inbox.IsEmpty;

    public int DeadlineCount => _deadlines.Count;

    /// <summary>The number of ticks until the next deadline; <see cref="long.MaxValue"/> if there is none.</summary>
    public long UntilNextDeadline
    {
        get
        {
            ReadClock();
            return NextDeadline == long.MaxValue ? long.MaxValue : Math.Max(0, NextDeadline - Now);
        }
    }

    /// <summary>The time of the next deadline; <see cref="long.MaxValue"/> if there is none.</summary>
    public long NextDeadline => _deadlines.NextDeadline;

    /// <summary>Whether the lane has nothing to do, so that another thread may run work on it.</summary>
    public bool IsAtRest => !_hasEnded && !HasInboxWork && Outstanding == 0 && !MustReceive;

    /// <summary>Whether the last turn may have left messages in the transport. Work that can wait should be short, so that they are received soon.</summary>
    public bool IsBehind { get; private set; }

    protected LaneRunner? Runner { get; private set; }

    public void RunBy(LaneRunner runner) => (Runner, _wake) = (runner, runner.Wake);

    /// <summary>Adds work to the inbox and wakes the lane. May be called from any thread.</summary>
    public void Post(LaneWork work)
    {
        if (TryAdd(work)) { Runner?.Wake(); }
        if (_hasEnded) { AbandonInbox(); }  // the lane ended between the check and the add
    }

    /// <summary>
    /// Adds an answer like <see cref="Post"/>. A handler thread may defer the wake-up, so that several answers share it.
    /// </summary>
    public void PostAnswer(LaneWork answer)
    {
        if (TryAdd(answer) && _wake is { } wake) { DeferredWakes.Wake(wake); }
        if (_hasEnded) { AbandonInbox(); }
    }

    /// <summary>Adds work like <see cref="Post"/>. If the lane is idle, the calling thread may do the work at once, which saves waking the lane.</summary>
    public void PostRequest(LaneWork work)
    {
        SynchronousCalls.CountRequest(IsOwnedByCaller);
        if (Runner?.TryRunHere(work) != true) { Post(work); }
    }

    /// <summary>Adds work to the inbox. The calling thread may run it at once, because it has nothing else to do.</summary>
    public void PostHere(LaneWork work)
    {
        if (TryAdd(work)) { Runner?.WakeHere(); }
        if (_hasEnded) { AbandonInbox(); }
    }

    /// <summary>
    /// Notifies a caller at the end of the turn, after all messages have been sent. A caller that wakes earlier would compete for the processor.
    /// </summary>
    public void TellLater(PendingResponse caller)
    {
        if (IsOwnedByCaller && !MayBlock) { _answered.Add(caller); }
        else { caller.Tell(); }
    }

    /// <summary>Registers an object that the lane disposes of when it ends. Called while the stages are linked.</summary>
    public void Own(IDisposable part) => _parts.Add(part);

    /// <summary>
    /// Registers an action that runs at the end of each turn, after the output has been sent. Called while the stages are linked.
    /// </summary>
    public void AfterEachTurn(Action action) => _afterTurn += action;

    /// <summary>Wakes the item at its deadline. An item that is already queued is moved.</summary>
    public void Schedule(ILaneDeadline item) => _deadlines.Update(item);

    /// <summary>Removes the item from the queue, if it is queued.</summary>
    public void Unschedule(ILaneDeadline item) => _deadlines.Remove(item);

    /// <summary>Runs one turn. Returns <see langword="true"/> if something was received or done, so that another turn should follow before a wait.</summary>
    /// <param name="work">Work that is done in this turn without passing through the inbox.</param>
    public bool Turn(LaneWork? work = null)
    {
        Begin();
        var isBusy = ForEachWork(static item => item.Run());
        if (work is not null) { Guard(work, static item => item.Run()); }
        IsBehind = Receive();
        while (_deadlines.TryPop(Now, out var due)) { Guard(due, static item => item.OnDeadline()); }
        Finish();
        return isBusy || IsBehind || MustReceive;
    }

    /// <summary>Does one piece of work between two turns, and sends its output.</summary>
    public void RunAlone(LaneWork work)
    {
        Begin();
        Guard(work, static item => item.Run());
        Finish();
    }

    /// <summary>Stops accepting requests. Completes when the pending requests are answered, or when the token is canceled.</summary>
    public async Task DrainAsync(CancellationToken timeout)
    {
        var drained = new TaskCompletionSource(Runtime.Continuations);
        using var registration = timeout.UnsafeRegister(static source => ((TaskCompletionSource)source!).TrySetResult(), drained);
        Post(new LaneAction(() =>
        {
            IsDraining = true;
            _drained = drained;     // checked at the end of this turn
        }));
        if (!_hasEnded) { await drained.Task.ConfigureAwait(false); }
    }

    private void CompleteDrain(TaskCompletionSource drained) => Runtime.Complete(() => drained.TrySetResult());

    /// <summary>Ends the lane after its last turn. Later work is abandoned, and pending calls fail.</summary>
    public void End()
    {
        (_current, _hasEnded) = (this, true);   // does not read the clock, because the clock may have failed
        try
        {
            AbandonInbox();
            // Every request that was started or is held back by a limit has a deadline. Requests that wait for NSTART fail when these make room for them.
            while (_deadlines.TryPop(long.MaxValue, out var waiting)) { Guard(waiting, static waiting => waiting.OnLaneEnded()); }
            OnEnding();
            foreach (var part in _parts) { Guard(part, static part => part.Dispose()); }
            Finish();   // sends what the stages still held
        }
        finally
        {
            _current = null;
            CountExchanges(0, 0);
            LaneCounters.Group.Remove(Metrics);
            Dispose();
        }
    }

    /// <summary>Whether the transport has something to report without a wait, such as a failed send.</summary>
    public virtual bool MustReceive => false;

    /// <summary>Whether all accepted requests are answered, and the answers are sent.</summary>
    protected virtual bool IsDrained => PendingRequests == 0;

    /// <summary>The number of this endpoint's requests that wait for a response.</summary>
    protected virtual int Outstanding => 0;

    /// <summary>Whether a handler may block the turn. Callers are then notified at once, because the handler could be waiting for one of them.</summary>
    protected virtual bool MayBlock => false;

    /// <summary>Blocks until there is something to do or the timeout has elapsed.</summary>
    public abstract void WaitForWork(TimeSpan timeout);

    /// <summary>Ends a wait in progress.</summary>
    public abstract void WakeUp();

    /// <summary>Completes when there is something to receive. Used by runners that have no thread.</summary>
    public abstract ValueTask WaitAsync();

    /// <summary>Receives what is available without blocking and sends it through the mesh. Returns <see langword="true"/> if it received anything.</summary>
    protected abstract bool Receive();

    /// <summary>Sends the messages that the turn has collected.</summary>
    protected abstract void Flush();

    /// <summary>Called before the counters of the lane are added to the total for the last time.</summary>
    protected virtual void OnEnding() { }

    /// <summary>Releases the sockets.</summary>
    public abstract void Dispose();

    /// <summary>Runs an action for one item and logs its exception, so that a failure for one peer does not end the lane for all others.</summary>
    protected void Guard<T>(T item, Action<T> action)
    {
        try { action(item); }
        catch (Exception exception) // The receive loop's edge: one message, one deadline, one piece of work.
        {
            Log.LaneWorkFailed(exception, item!.GetType());
        }
    }

    TimeSpan ILane.Now => TimeSpan.FromTicks(Now);

    void ILane.Post(Action action) => Post(new LaneAction(action ?? throw new ArgumentNullException(nameof(action))));

    LaneTimer ILane.CreateTimer(Action action) => new(this, action ?? throw new ArgumentNullException(nameof(action)));

    /// <summary>Hashes a peer and the local port with the secret of the lane.</summary>
    public ulong HashOf(in ChannelKey key) => key.Peer.Hash(HashKey ^ (uint)key.Local.Port);

    private void Begin()
    {
        _current = this;
        ReadClock();
    }

    private void Finish()
    {
        try { Flush(); }
        finally
        {
            if (_afterTurn is { } after) { Guard(after, static after => after()); }
        }
        foreach (var caller in _answered) { caller.Tell(); }
        _answered.Clear();
        CountExchanges(PendingRequests, Outstanding);
        if (IsDraining && IsDrained && _drained is not null) { CompleteDrain(_drained); }
        _current = null;
    }

    private void CountExchanges(int received, int sent)
    {
        Runtime.OnExchanges(received + sent - Metrics[LaneCounters.ActiveExchanges]);
        Metrics.SetActive(received, sent);
    }

    private bool TryAdd(LaneWork work)
    {
        if (_hasEnded)
        {
            work.Abandon();
            return false;
        }
        _inbox.Add(work);
        return true;
    }

    private void ReadClock() => Now = this.TimeOf(Time.GetTimestamp());

    private void AbandonInbox() => ForEachWork(static item => item.Abandon());

    private bool ForEachWork(Action<LaneWork> action)
    {
        var work = _inbox.TakeAll();
        var isBusy = work is not null;
        while (work is not null)
        {
            var next = work.Next;
            work.Next = null;
            Guard(work, action);
            work = next;
        }
        return isBusy;
    }
}
