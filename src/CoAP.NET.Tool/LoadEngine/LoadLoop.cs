namespace CoAP.Tool.LoadEngine;

/// <summary>Issues requests on one thread, sends them, and takes their answers. Each transport derives from it.</summary>
/// <remarks>
/// The loop speaks through raw sockets: a client of the library for each request would cost as much as a fast server, and would be measured instead of it.
/// Message IDs are used again within EXCHANGE_LIFETIME.
/// </remarks>
internal abstract class LoadLoop : IDisposable
{
    private const long SweepEvery = 50 * Clock.Millisecond, LongestWait = 10 * Clock.Millisecond, SpinBefore = 70_000;

    private const int MaxRetransmit = 4; // RFC 7252, section 4.8

    private readonly Queue<int> _free;
    private readonly int[] _waiting;
    private bool _isIssuing;
    private OpenLoopSchedule? _schedule;
    private long _swept;
    private long _measuredFrom;

    protected LoadLoop(LoopSettings settings, RequestShape request)
    {
        Settings = settings;
        Requests = new RequestTable(request, settings.Slots);
        Queues = new SendQueues(Requests, settings.Sockets);
        Tallies = new Tallies(settings.Rate is not null);
        _free = new Queue<int>(settings.Slots);
        _waiting = new int[settings.Sockets];
    }

    /// <summary>Ends a run early. Any thread may set it.</summary>
    public volatile bool IsStopped;

    public Tallies Tallies { get; }

    protected LoopSettings Settings { get; }

    protected RequestTable Requests { get; }

    protected SendQueues Queues { get; }

    protected Epoll Readiness { get; } = new();

    /// <summary>The number of requests without an answer.</summary>
    protected int Busy { get; private set; }

    /// <summary>Whether no socket is left.</summary>
    protected virtual bool IsDead => false;

    /// <summary>Whether the loop waits for more than answers.</summary>
    protected virtual bool IsWaiting => false;

    public abstract void Open();

    /// <summary>Begins to issue requests, unless it has begun before.</summary>
    public void Start()
    {
        if (_isIssuing) { return; }
        (_isIssuing, _swept) = (true, Clock.Now);
        _schedule = Settings.Rate is { } rate ? new OpenLoopSchedule(Clock.Now, rate) : null;
        _free.Clear();
        for (var slot = 0; slot < Requests.Count; slot++)
        {
            if (Requests[slot].IsBusy) { continue; }
            Requests[slot].Peer = slot % Settings.Sockets;
            if (_schedule is not null) { _free.Enqueue(slot); }
            else { Issue(slot, Requests[slot].Peer, 0); }
        }
    }

    /// <summary>Begins the measured time.</summary>
    public void Measure()
    {
        Tallies.Begin();
        _measuredFrom = _schedule is null ? 0 : Clock.Now;
    }

    /// <summary>Issues nothing more, waits for the answers that are still to come, and returns what was counted.</summary>
    /// <param name="patience">How long to wait. An open loop counts what comes late, and then what is lost.</param>
    public Tally Finish(TimeSpan patience)
    {
        var now = Clock.Now;
        Tallies.Measured.Unsent = _schedule?.Behind(now) ?? 0;
        Tallies.IsMeasuring = _isIssuing = IsStopped = false;
        _schedule = null;
        RunUntil(now + Clock.ToNanoseconds(patience));
        return Tallies.Measured;
    }

    /// <summary>Runs until the time is over, enough requests have ended, or nothing is left to wait for.</summary>
    public void RunUntil(long end, long limit = long.MaxValue)
    {
        for (var now = Clock.Now; now < end && !IsStopped && !IsDead; now = Clock.Now)
        {
            if (!_isIssuing && Busy == 0 && !IsWaiting) { return; }
            if (Tallies.Measured.Ended >= limit) { return; }
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

    protected abstract void Flush(int peer);

    protected abstract void Read(int peer);

    /// <summary>The number of requests of a socket without an answer.</summary>
    protected int WaitingOn(int peer) => _waiting[peer];

    protected virtual ushort NextMessageId(int peer) => 0;

    protected virtual bool CanSend(int peer) => true;

    /// <summary>Takes the first request off a socket's queue, as sent.</summary>
    protected void MarkSent(int peer, long now)
    {
        ref var slot = ref Requests[Queues.Take(peer)];
        if (slot.SentAt != 0) { return; } // sent again
        if (slot.Since == 0) { slot.Since = now; }
        slot.SentAt = now;
        if (Settings.AckTimeout is not { } wait) { return; }
        slot.ResendWait = Clock.ToNanoseconds(wait);
        slot.ResendAt = now + slot.ResendWait;
    }

    /// <summary>Ends the request of a slot and uses the slot for the next one.</summary>
    protected void End(int index)
    {
        ref var slot = ref Requests[index];
        slot.IsBusy = false;
        _waiting[slot.Peer]--;
        Busy--;
        if (Settings.Rate is not null) { _free.Enqueue(index); }
        else if (_isIssuing) { Issue(index, NextPeer(slot.Peer), 0); }
    }

    /// <summary>Gives up all requests of a connection that has ended.</summary>
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

    // With more sockets than requests, each request moves on to another socket: a port has only 65,536 message IDs, and a server may take one
    // that comes again for a duplicate (RFC 7252, section 4.5).
    private int NextPeer(int peer) => Settings.Slots >= Settings.Sockets ? peer : (peer + Settings.Slots) % Settings.Sockets;

    private void Issue(int slot, int peer, long since)
    {
        if (!CanSend(peer)) { return; }
        Requests.Begin(slot, peer, NextMessageId(peer), since, Tallies.IsMeasuring && since >= _measuredFrom);
        _waiting[peer]++;
        Busy++;
        Queues.Add(slot);
    }

    private void IssueDue(long now)
    {
        while (_schedule is not null && _free.Count > 0 && _schedule.TryTake(now, out var due))
        {
            var slot = _free.Dequeue();
            Issue(slot, NextPeer(Requests[slot].Peer), due);
        }
    }

    private long Pause(long now, long end)
    {
        if (Queues.Listed > 0 && _schedule is not null) { return 0; }
        if (_schedule is null || _free.Count == 0) { return Math.Clamp(end - now, 0, LongestWait); }
        now = Clock.Now;
        return Math.Clamp(Math.Min(_schedule.Next - now - SpinBefore, end - now), 0, LongestWait);
    }

    private void Turn(long pause)
    {
        var count = Readiness.Wait(pause);
        for (var index = 0; index < count; index++) { Read(Readiness.NumberAt(index)); }
    }

    private void Sweep(long now)
    {
        var patience = Clock.ToNanoseconds(Settings.Patience);
        for (var index = 0; index < Requests.Count; index++)
        {
            ref var slot = ref Requests[index];
            if (!slot.IsBusy || slot.SentAt == 0) { continue; }
            if (now > slot.SentAt + patience)
            {
                Tallies.For(slot).Lost++;
                End(index);
            }
            else if (slot.ResendAt != 0 && now >= slot.ResendAt && !slot.IsAcknowledged && slot.Resends < MaxRetransmit) { Resend(index, now); }
        }
    }

    // After ACK_TIMEOUT, twice that time and so on, as long as the request waits (RFC 7252, section 4.2).
    private void Resend(int index, long now)
    {
        ref var slot = ref Requests[index];
        slot.Resends++;
        slot.ResendWait *= 2;
        slot.ResendAt = now + slot.ResendWait;
        Tallies.For(slot).Retransmitted++;
        Queues.Add(index);
    }
}
