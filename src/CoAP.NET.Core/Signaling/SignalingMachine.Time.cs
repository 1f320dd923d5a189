namespace CoAP.Signaling;

/// <content>What happens because time passes.</content>
internal sealed partial class SignalingMachine
{
    /// <summary>When <see cref="Poll"/> has something to do next; <see cref="long.MaxValue"/> for never.</summary>
    public long Deadline
    {
        get
        {
            if (_isClosed) { return Never; }
            var deadline = Math.Min(MessageDeadline, ReleaseDeadline);
            // Whoever has not said its first word is not asked for a second one.
            if (!HasPeerCsm) { return Math.Min(deadline, After(_openedAt, settings.CsmTimeout)); }
            return Math.Min(deadline, Math.Min(PingDeadline, IdleDeadline));
        }
    }

    private long MessageDeadline => After(_messageSince, settings.MessageTimeout);

    private long ReleaseDeadline => After(_releasedAt, settings.ReleaseTimeout);

    // While a message is on its way the peer is neither silent nor idle: its Pong cannot overtake the message.
    private bool IsWatched => _messageSince == None && _releasedAt == None;

    private long PingDeadline =>
        !IsWatched ? Never
        : _probedAt == None ? After(_heardAt, settings.PingInterval) : After(_probedAt, settings.PingTimeout);

    private long IdleDeadline => IsWatched && IsIdle ? After(_activeAt, settings.IdleTimeout) : Never;

    /// <summary>Asks now whether the peer is there, as after <see cref="StreamSettings.PingInterval"/>; nothing where that was asked already.</summary>
    public SignalOutcome Probe(long now)
    {
        if (_isClosed || !HasPeerCsm || !IsWatched || _probedAt != None || _pings.IsFull) { return SignalOutcome.Nothing; }
        _probedAt = now;
        return new SendSignals([SignalMessages.Ping(_pings.Add(now), custody: false)]);
    }

    /// <summary>Does what is due; polled late, it does it once.</summary>
    public SignalOutcome Poll(long now)
    {
        if (now < Deadline || _isClosed) { return SignalOutcome.Nothing; }
        if (!HasPeerCsm && now >= After(_openedAt, settings.CsmTimeout)) { return Abort($"No CSM within {settings.CsmTimeout}."); }
        if (now >= MessageDeadline) { return Abort($"A message was not complete within {settings.MessageTimeout}."); }
        if (now >= ReleaseDeadline)
        {
            return Close([], CloseReason.ReleaseTimedOut, $"The connection did not end within {settings.ReleaseTimeout} after its Release.");
        }
        if (_probedAt != None && now >= PingDeadline)
        {
            return Close([], CloseReason.PingUnanswered, $"The peer was silent for {settings.PingTimeout} after a Ping.");
        }
        if (now >= IdleDeadline) { return Release(now); }
        _probedAt = now;
        return new SendSignals([SignalMessages.Ping(_pings.Add(now), custody: false)]);
    }

    private static long After(long start, TimeSpan? time)
    {
        if (start == None || time is not { } span) { return Never; }
        return start > Never - span.Ticks ? Never : start + span.Ticks;
    }
}
