namespace CoAP.Signaling;

/// <summary>The times of one connection and the deadlines that follow from them (RFC 8323, sections 5.3 to 5.5).</summary>
internal struct SignalingTimes(StreamSettings settings)
{
    private const long Never = long.MaxValue;
    private const long None = long.MinValue;

    private long _openedAt;
    private long _heardAt;
    private long _activeAt;
    private long _messageSince = None;  // the arrival of the first byte, or the start of the wait for room
    private bool _isHeld;
    private long _probedAt = None;
    private long _releasedAt = None;

    /// <summary>The time at which the connection was opened.</summary>
    public readonly long OpenedAt => _openedAt;

    /// <summary>The time of the last message.</summary>
    public readonly long HeardAt => _heardAt;

    /// <summary>Whether a Ping may be sent now: none is unanswered and no message is arriving.</summary>
    public readonly bool MayProbe => IsWatched && _probedAt == None;

    private readonly long MessageDeadline => After(_messageSince, settings.MessageTimeout);

    private readonly long ReleaseDeadline => After(_releasedAt, settings.ReleaseTimeout);

    private readonly long CsmDeadline => After(_openedAt, settings.CsmTimeout);

    // While a message arrives, the peer is neither silent nor idle: its Pong cannot overtake the message.
    private readonly bool IsWatched => _messageSince == None && _releasedAt == None;

    /// <summary>The connection was opened.</summary>
    public void Open(long now) => _openedAt = _heardAt = _activeAt = now;

    /// <summary>A message has arrived.</summary>
    public void Heard(CoapCode code, long now)
    {
        _heardAt = now;
        _messageSince = _probedAt = None;
        _isHeld = false;
        // The answer to our Ping is not a use of the connection. Otherwise our Pings would keep the connection forever.
        if (code != SignalCode.Pong) { _activeAt = now; }
    }

    /// <summary>A request has finished.</summary>
    public void Active(long now) => _activeAt = now;

    /// <summary>A part of a message has arrived.</summary>
    public void MessageStarted(long now)
    {
        if (_messageSince == None || _isHeld) { (_messageSince, _isHeld) = (now, false); }
    }

    /// <summary>The rest of a message is not read until there is room.</summary>
    public void MessageHeld(long now)
    {
        if (!_isHeld) { (_messageSince, _isHeld) = (now, true); }
    }

    /// <summary>A Ping was sent.</summary>
    public void Probed(long now) => _probedAt = now;

    /// <summary>One side has sent a Release; the first one counts.</summary>
    public void Releasing(long now)
    {
        if (_releasedAt == None) { _releasedAt = now; }
    }

    /// <summary>Returns the time at which <see cref="Due"/> has a result.</summary>
    public readonly long Deadline(bool hasPeerCsm, bool isIdle)
    {
        var deadline = Math.Min(MessageDeadline, ReleaseDeadline);
        // A peer that has not sent its CSM gets no Ping.
        return Math.Min(deadline, hasPeerCsm ? Math.Min(PingDeadline(isIdle), IdleDeadline(isIdle)) : CsmDeadline);
    }

    /// <summary>Returns what is due now.</summary>
    public readonly SignalingDue Due(long now, bool hasPeerCsm, bool isIdle)
    {
        if (now < Deadline(hasPeerCsm, isIdle)) { return SignalingDue.Nothing; }
        if (!hasPeerCsm && now >= CsmDeadline) { return SignalingDue.Csm; }
        if (now >= MessageDeadline) { return _isHeld ? SignalingDue.Room : SignalingDue.Message; }
        if (now >= ReleaseDeadline) { return SignalingDue.Release; }
        if (_probedAt != None && now >= PingDeadline(isIdle)) { return SignalingDue.Pong; }
        return now >= IdleDeadline(isIdle) ? SignalingDue.Idle : SignalingDue.Ping;
    }

    // A connection that is kept by something outstanding is not released. If its peer has vanished, perhaps nothing else would end it.
    private readonly long PingDeadline(bool isIdle)
    {
        if (!IsWatched) { return Never; }
        if (_probedAt != None) { return After(_probedAt, settings.PingTimeout); }
        if (settings.PingInterval is { } interval) { return After(_heardAt, interval); }
        return isIdle ? Never : After(Math.Max(_heardAt, _activeAt), settings.IdleTimeout);
    }

    private readonly long IdleDeadline(bool isIdle) => IsWatched && isIdle ? After(_activeAt, settings.IdleTimeout) : Never;

    private static long After(long start, TimeSpan? time)
    {
        if (start == None || time is not { } span) { return Never; }
        return start > Never - span.Ticks ? Never : start + span.Ticks;
    }
}

/// <summary>The deadline that has passed.</summary>
internal enum SignalingDue : byte
{
    Nothing,

    /// <summary>The peer has sent no CSM.</summary>
    Csm,

    /// <summary>A message is not complete.</summary>
    Message,

    /// <summary>There was no room for the rest of a message.</summary>
    Room,

    /// <summary>The connection was released and has not ended.</summary>
    Release,

    /// <summary>The peer has not answered a Ping.</summary>
    Pong,

    /// <summary>The connection was not used.</summary>
    Idle,

    /// <summary>The peer was silent; a Ping is due.</summary>
    Ping,
}
