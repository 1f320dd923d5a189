namespace CoAP.Load;

/// <summary>One thread that issues requests, sends them, and takes their answers. What is UDP's or TCP's own is below.</summary>
internal abstract class LoadLoop : IDisposable
{
    private const long SweepEvery = 50 * Clock.Millisecond, LongestWait = 10 * Clock.Millisecond, SpinBefore = 70_000;
    private const int MaxRetransmit = 4;

    private readonly int[] _free;
    private int _freeCount;
    private int _nextPeer;
    private bool _isIssuing;
    private OpenLoopSchedule? _schedule;
    private long _swept;
    private long _measuredFrom;

    protected LoadLoop(LoadSettings settings)
    {
        Settings = settings;
        Requests = new RequestTable(new RequestShape(settings), settings.Slots);
        Queues = new SendQueues(Requests, settings.Sockets);
        Tallies = new Tallies(settings.Rate is not null);
        Readiness = LinuxCalls.IsSupported && !settings.IsPortable ? new Epoll() : new SelectReadiness();
        _free = new int[settings.Slots];
    }

    public Tallies Tallies { get; }

    /// <summary>Ends the run before its time; may be set by any thread.</summary>
    public volatile bool IsStopped;

    protected LoadSettings Settings { get; }

    protected RequestTable Requests { get; }

    protected SendQueues Queues { get; }

    protected IReadiness Readiness { get; }

    /// <summary>How many of its requests have no answer.</summary>
    protected int Busy { get; private set; }

    protected virtual bool IsDead => false;

    public abstract void Open();

    /// <summary>Begins to issue requests.</summary>
    public void Start()
    {
        _isIssuing = true;
        _swept = Clock.Now;
        if (Settings.Rate is { } rate)
        {
            _schedule = new OpenLoopSchedule(Clock.Now, rate);
            for (var slot = Requests.Count - 1; slot >= 0; slot--) { _free[_freeCount++] = slot; }
            return;
        }

        for (var slot = 0; slot < Requests.Count; slot++)
        {
            Requests[slot].Peer = slot % Settings.Sockets;
            Issue(slot, Requests[slot].Peer, 0);
        }
    }

    /// <summary>Begins the time that is measured.</summary>
    public void Measure()
    {
        Tallies.Measured.Clear();
        _measuredFrom = _schedule is null ? 0 : Clock.Now;
        Tallies.IsMeasuring = true;
    }

    /// <summary>Issues nothing more, and waits for the answers that are still to come.</summary>
    public void Finish()
    {
        var now = Clock.Now;
        Tallies.Measured.Unsent = _schedule?.Behind(now) ?? 0;
        Tallies.IsMeasuring = false;
        _isIssuing = false;
        _schedule = null;
        IsStopped = false;
        RunUntil(now + (Settings.Rate is null ? 200 * Clock.Millisecond : Clock.ToNanoseconds(Settings.Patience) + SweepEvery));
    }

    /// <summary>Runs until the time is over, or enough requests have ended, or nothing is left to wait for.</summary>
    public void RunUntil(long end, long limit = long.MaxValue)
    {
        for (var now = Clock.Now; now < end && !IsStopped && !IsDead; now = Clock.Now)
        {
            if (!_isIssuing && Busy == 0 && !IsWaiting) { return; }
            if (limit < long.MaxValue && Tallies.Measured.Ended >= limit) { return; }
            IssueDue(now);
            for (var index = 0; index < Queues.Listed; index++) { Flush(Queues.PeerAt(index)); }
            Queues.Tidy();
            Turn(Pause(now, end));
            if (now - _swept > SweepEvery) { Sweep(_swept = now); }
        }
    }

    public virtual void Dispose()
    {
        Readiness.Dispose();
        Requests.Dispose();
    }

    /// <summary>Something else than answers is waited for.</summary>
    protected virtual bool IsWaiting => false;

    protected abstract void Flush(int peer);

    protected abstract void Read(int peer);

    /// <summary>There is room to write again.</summary>
    protected virtual void Resume(int peer)
    {
    }

    protected virtual ushort NextMessageId(int peer) => 0;

    protected virtual bool CanSend(int peer) => true;

    /// <summary>Takes the first request of a socket's queue, as sent.</summary>
    protected void MarkSent(int peer, long now)
    {
        ref var slot = ref Requests[Queues.Take(peer)];
        if (slot.Since == 0) { slot.Since = now; }
        if (slot.SentAt == 0) { slot.FirstSentAt = now; }
        slot.SentAt = now;
    }

    /// <summary>A slot's request has ended, and the slot is free for the next.</summary>
    protected void End(int index)
    {
        ref var slot = ref Requests[index];
        slot.IsBusy = false;
        Busy--;
        if (Settings.Rate is not null) { _free[_freeCount++] = index; }
        else if (_isIssuing) { Issue(index, NextPeer(slot.Peer), 0); }
    }

    /// <summary>The connection has ended; nothing of it will be answered.</summary>
    protected void Abandon(int peer)
    {
        Queues.Clear(peer);
        for (var slot = 0; slot < Requests.Count; slot++)
        {
            if (!Requests[slot].IsBusy || Requests[slot].Peer != peer) { continue; }
            Tallies.For(Requests[slot]).Lost++;
            End(slot);
        }
    }

    // With more sockets than requests, each request moves on to another: a port has 65,536 message IDs only, and a server may take one that
    // comes again for a duplicate (RFC 7252, section 4.5).
    private int NextPeer(int peer) => Settings.IsTcp || Settings.Outstanding >= Settings.Sockets ? peer : (peer + Settings.Outstanding) % Settings.Sockets;

    private void Issue(int slot, int peer, long since)
    {
        if (!CanSend(peer)) { return; }
        Requests.Begin(slot, peer, NextMessageId(peer), since, Tallies.IsMeasuring && since >= _measuredFrom);
        Busy++;
        Queues.Add(slot);
    }

    private void IssueDue(long now)
    {
        while (_schedule is not null && _freeCount > 0 && _schedule.TryTake(now, out var intended))
        {
            for (var tries = 0; tries < Settings.Sockets && !CanSend(_nextPeer); tries++) { Advance(); }
            if (!CanSend(_nextPeer)) { return; }
            Issue(_free[--_freeCount], _nextPeer, intended);
            Advance();
        }
    }

    private void Advance() => _nextPeer = _nextPeer + 1 == Settings.Sockets ? 0 : _nextPeer + 1;

    private long Pause(long now, long end)
    {
        if (Settings.Spins || (Queues.Listed > 0 && _schedule is not null)) { return 0; }
        if (_schedule is null || _freeCount == 0) { return Math.Min(LongestWait, Math.Max(0, end - now) / Clock.Millisecond * Clock.Millisecond); }
        now = Clock.Now;
        return Math.Clamp(Math.Min(_schedule.Next - now - SpinBefore, end - now), 0, LongestWait);
    }

    private void Turn(long pause)
    {
        var count = Readiness.Wait(pause);
        for (var index = 0; index < count; index++)
        {
            var peer = Readiness.NumberAt(index);
            if (peer < 0) { continue; }
            if (Readiness.IsWritable(index)) { Resume(peer); }
            if (Readiness.IsReadable(index)) { Read(peer); }
        }
    }

    private void Sweep(long now)
    {
        var patience = Clock.ToNanoseconds(Settings.Patience);
        var repeatAfter = !Settings.IsTcp && Settings.IsConfirmable ? Settings.RetransmitAfter : null;
        for (var index = 0; index < Requests.Count; index++)
        {
            ref var slot = ref Requests[index];
            if (!slot.IsBusy || slot.SentAt == 0 || slot.IsQueued) { continue; }
            if (now > slot.FirstSentAt + patience)
            {
                Tallies.For(slot).Lost++;
                End(index);
            }
            else if (repeatAfter is { } first && !slot.IsAcknowledged && slot.Repeats < MaxRetransmit
                && now > slot.SentAt + (Clock.ToNanoseconds(first) << slot.Repeats))
            {
                slot.Repeats++;
                Tallies.For(slot).Retransmissions++;
                Queues.Add(index);
            }
        }
    }
}
