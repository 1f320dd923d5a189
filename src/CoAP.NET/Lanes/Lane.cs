using CoAP.Reliability;
using CoAP.Vocabulary;

namespace CoAP.Lanes;

/// <summary>
/// A single-owner engine: one runner at a time takes a turn, and in it drains the inbox, receives a batch, wakes what is due and flushes
/// the output. All protocol state of the lane's peers is touched in turns only, so none of it has a lock.
/// </summary>
internal abstract class Lane : LaneContext, IDisposable
{
    [ThreadStatic]
    private static Lane? _current;

    private readonly Inbox _inbox = new();
    private readonly DeadlineQueue<ILaneDeadline> _deadlines = new();
    private readonly List<IDisposable> _parts = [];
    private readonly List<PendingResponse> _answered = [];
    private TaskCompletionSource? _drained;
    private volatile bool _hasEnded;

    protected Lane(LaneSettings settings, LaneMetrics metrics)
        : base(settings, metrics)
    {
        Origin = settings.Time.GetTimestamp();
        ReadClock();
        CoapMetrics.Add(Metrics);
    }

    /// <summary>Whether the calling thread gives some lane its turn right now.</summary>
    public static bool IsAnyOwnedByCaller => _current is not null;

    public override bool IsOwnedByCaller => _current == this;

    public override bool HasEnded => _hasEnded;

    /// <summary>Whether there is work that needs no waiting.</summary>
    public bool HasInboxWork => !_inbox.IsEmpty;

    /// <summary>How many things the lane will wake.</summary>
    public int DeadlineCount => _deadlines.Count;

    /// <summary>The ticks until the next deadline; <see cref="long.MaxValue"/> if there is none.</summary>
    public long UntilNextDeadline
    {
        get
        {
            ReadClock();
            var next = _deadlines.NextDeadline;
            return next == long.MaxValue ? next : Math.Max(0, next - Now);
        }
    }

    /// <summary>The time of the next deadline; <see cref="long.MaxValue"/> if there is none.</summary>
    public long NextDeadline => _deadlines.NextDeadline;

    /// <summary>Whether nothing is under way that another thread could come in between.</summary>
    public bool IsAtRest => !_hasEnded && !HasInboxWork && Outstanding == 0 && !MustReceive;

    protected LaneRunner? Runner { get; private set; }

    public void RunBy(LaneRunner runner) => Runner = runner;

    public override void Post(LaneWork work)
    {
        if (TryAdd(work)) { Runner?.Wake(); }
        if (_hasEnded) { AbandonInbox(); }  // it ended between the look and the add
    }

    public override void PostRequest(LaneWork work)
    {
        if (Runner?.TryRunHere(work) != true) { Post(work); }
    }

    /// <summary>Adds to the inbox; the calling thread, which has nothing else to do, may do it at once.</summary>
    public void PostHere(LaneWork work)
    {
        if (TryAdd(work)) { Runner?.WakeHere(); }
        if (_hasEnded) { AbandonInbox(); }
    }

    public override void TellLater(PendingResponse caller)
    {
        if (IsOwnedByCaller && !MayBlock) { _answered.Add(caller); }
        else { caller.Tell(); }
    }

    public override void Own(IDisposable part) => _parts.Add(part);

    public override void Schedule(ILaneDeadline item) => _deadlines.Update(item);

    public override void Unschedule(ILaneDeadline item) => _deadlines.Remove(item);

    /// <summary>One turn; answers whether anything was received or done, so that another turn is worth while before waiting.</summary>
    /// <param name="work">Something that is done in this very turn, without the inbox.</param>
    public bool Turn(LaneWork? work = null)
    {
        Begin();
        var isBusy = DrainInbox();
        if (work is not null) { Guard(work, static item => item.Run()); }
        isBusy |= Receive();
        while (_deadlines.TryPop(Now, out var due)) { Guard(due, static item => item.OnDeadline()); }
        Finish();
        return isBusy || MustReceive;
    }

    /// <summary>Does one thing between two turns, and sends what comes of it.</summary>
    public void RunAlone(LaneWork work)
    {
        Begin();
        Guard(work, static item => item.Run());
        Finish();
    }

    /// <summary>Accepts no further requests and completes when those that are pending are answered, or patience is over.</summary>
    public async Task DrainAsync(CancellationToken patience)
    {
        var drained = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var registration = patience.UnsafeRegister(static source => ((TaskCompletionSource)source!).TrySetResult(), drained);
        Post(new LaneAction(() =>
        {
            IsDraining = true;
            _drained = drained;     // looked at when this turn ends
        }));
        await drained.Task.ConfigureAwait(false);
    }

    /// <summary>Ends the lane after its last turn: nothing is accepted any more, and who waits is told.</summary>
    public void End()
    {
        _hasEnded = true;
        AbandonInbox();
        // Every request that was started, or is held back by a limit, waits for a time; those behind NSTART end as these make room for them.
        while (_deadlines.TryPop(long.MaxValue, out var waiting)) { waiting.Abandon(); }
        Metrics.ActiveExchanges = 0;
        CoapMetrics.Remove(Metrics);
        Dispose();
        _parts.ForEach(static part => part.Dispose());
    }

    /// <summary>Whether there is something to hand on without waiting for it, such as a send that failed.</summary>
    public virtual bool MustReceive => false;

    /// <summary>Whether all that was accepted is answered, and the answers are out.</summary>
    protected virtual bool IsDrained => PendingRequests == 0;

    /// <summary>Whether a turn may take as long as a handler that waits, possibly for one of those who are told in it.</summary>
    /// <summary>The requests of this endpoint that wait for a response.</summary>
    protected virtual int Outstanding => 0;

    protected virtual bool MayBlock => false;

    /// <summary>Blocks until there is something to do, or the time is over.</summary>
    public abstract void WaitForWork(TimeSpan timeout);

    /// <summary>Ends a wait that goes on.</summary>
    public abstract void WakeUp();

    /// <summary>Completes when there is something to receive, for runners without a thread of their own.</summary>
    public abstract ValueTask WaitAsync();

    /// <summary>Receives what is there without blocking and sends it through the mesh.</summary>
    protected abstract bool Receive();

    /// <summary>Sends what the turn has collected.</summary>
    protected abstract void Flush();

    /// <summary>Releases the sockets.</summary>
    public abstract void Dispose();

    /// <summary>Does something for one peer; a failure in our own code must not end the lane for all the others.</summary>
    protected void Guard<T>(T item, Action<T> action)
    {
        try { action(item); }
        catch (Exception exception) // The receive loop's edge: one message, one deadline, one piece of work.
        {
            Log.LaneWorkFailed(Logger, exception);
        }
    }

    private void Begin()
    {
        _current = this;
        ReadClock();
    }

    private void Finish()
    {
        Flush();
        TellAnswered();
        Metrics.ActiveExchanges = PendingRequests + Outstanding;
        if (IsDraining && IsDrained) { _drained?.TrySetResult(); }
        _current = null;
    }

    private void TellAnswered()
    {
        foreach (var caller in _answered) { caller.Tell(); }
        _answered.Clear();
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

    private void ReadClock()
    {
        Now = (long)((Int128)(Time.GetTimestamp() - Origin) * TimeSpan.TicksPerSecond / Time.TimestampFrequency);
    }

    private bool DrainInbox()
    {
        var work = _inbox.TakeAll();
        var isBusy = work is not null;
        while (work is not null)
        {
            var next = work.Next;
            work.Next = null;
            Guard(work, static item => item.Run());
            work = next;
        }
        return isBusy;
    }

    private void AbandonInbox()
    {
        for (var work = _inbox.TakeAll(); work is not null;)
        {
            var next = work.Next;
            work.Abandon();
            work = next;
        }
    }
}
