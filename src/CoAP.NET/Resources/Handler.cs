using CoAP.Lanes;

namespace CoAP.Resources;

/// <summary>The handler of one method of one resource, and where it runs.</summary>
/// <remarks>
/// Several lanes and threads record its calls. If they overwrite each other's records, a decision only comes a little later.
/// </remarks>
internal sealed class Handler(RequestDelegate invoke, HandlerMode mode, string template)
{
    /// <summary>The longest duration of a quick call, about as long as a lane takes to receive a batch of datagrams.</summary>
    public static readonly TimeSpan Quick = TimeSpan.FromMicroseconds(100);

    /// <summary>The longest duration of a call on a lane that is not slow. A longer one delays the other peers of the lane.</summary>
    public static readonly TimeSpan Slow = TimeSpan.FromMilliseconds(2);

    private const int SlowCall = 32;
    private const int SlowEnough = 2 * SlowCall;
    private const int EnoughQuickCalls = 64;
    private const int MaxReturns = 3;
    private const int ForgivenShare = 50;      // one part in so many of the time that passes

    private static readonly long MaxSlowTime = TimeSpan.FromMilliseconds(5).Ticks;

    private readonly Lock _moves = new();
    private int _isBuffered = mode == HandlerMode.Inline ? 0 : 1;
    private int _slowness;
    private int _quickCalls;    // in a row, on handler threads
    private int _returns;       // how often it has returned to handler threads
    private long _slowTime;     // of the calls on lanes that were not quick, less what was forgiven
    private long _lastSlowCall; // the timestamp of its end
    private bool _hasWaited;

    /// <summary>The mode that it was mapped with.</summary>
    public HandlerMode Mode => mode;

    /// <summary>The template of the resource, for log lines.</summary>
    public string Template { get; } = template;

    /// <summary>Whether the next call belongs on a handler thread.</summary>
    public bool IsBuffered => Volatile.Read(ref _isBuffered) != 0;

    /// <summary>Whether its last calls on handler threads were quick, so that the next one probably is, too.</summary>
    public bool IsQuick => Volatile.Read(ref _quickCalls) >= EnoughQuickCalls;

    /// <summary>Whether a request may have to wait for the handler. <see langword="false"/> for an inline handler that has always answered at once.</summary>
    public bool MayWait => _hasWaited || IsBuffered;

    /// <summary>The duration above which a call on a lane counts against the handler.</summary>
    public TimeSpan Limit => mode == HandlerMode.Learned ? Quick : Slow;

    /// <summary>Calls the handler.</summary>
    public ValueTask<CoapResponse> Invoke(IncomingRequest request, CancellationToken cancellationToken)
    {
        if (mode == HandlerMode.Inline && !IsBuffered) { return invoke(request, cancellationToken); }
        // Not whether it is buffered now, because another lane may have moved it since this one has called.
        if (MeasuredCall.SettingsOfThread is { } settings) { return InvokeMeasured(settings, request, cancellationToken); }
        return mode == HandlerMode.Learned ? InvokeLearned(request, cancellationToken) : invoke(request, cancellationToken);
    }

    /// <summary>Records that the handler did not answer at once.</summary>
    public void Waits() => _hasWaited = true;

    /// <summary>Moves the handler to handler threads. Returns <see langword="true"/> only to the caller that moved it.</summary>
    public bool MoveToBuffered()
    {
        lock (_moves) { return Move(); }
    }

    /// <summary>Moves the handler to handler threads permanently, because it has waited for a lane.</summary>
    public void StayBuffered()
    {
        if (mode != HandlerMode.Learned) { return; }
        lock (_moves)
        {
            _returns = MaxReturns;
            Move();
        }
    }

    /// <summary>Records a call on a handler thread. A handler that learns runs inline after enough quick calls in a row.</summary>
    /// <param name="wasQuick">Whether the call took at most <see cref="Quick"/> and did not wait for a lane.</param>
    /// <param name="mayLearn">Whether the endpoint lets handlers learn.</param>
    public void RecordBuffered(bool wasQuick, bool mayLearn)
    {
        var calls = wasQuick ? Math.Min(Volatile.Read(ref _quickCalls) + 1, EnoughQuickCalls) : 0;
        Volatile.Write(ref _quickCalls, calls);
        if (!mayLearn || calls < EnoughQuickCalls || mode != HandlerMode.Learned || !IsBuffered) { return; }
        lock (_moves)
        {
            if (_returns >= MaxReturns) { return; }
            Volatile.Write(ref _slowTime, 0);
            Volatile.Write(ref _isBuffered, 0);
        }
    }

    /// <summary>Records a call on a lane. Returns <see langword="true"/> if the handler is too slow to stay there.</summary>
    /// <param name="took">The time of the call, without what its thread lost to others.</param>
    /// <param name="time">The clock. Lanes have different ones, so that of a lane will not do.</param>
    public bool IsTooSlowAfter(TimeSpan took, TimeProvider time) => mode == HandlerMode.Learned ? IsUnlearned(took, time)
        : IsOftenSlow(took > Slow);

    private bool Move()
    {
        Volatile.Write(ref _quickCalls, 0);
        if (IsBuffered) { return false; }
        Volatile.Write(ref _isBuffered, 1);
        _returns++;
        return true;
    }

    // A call that fails has been made, too. One that awaits has not ended, so nothing is known of it.
    private ValueTask<CoapResponse> InvokeMeasured(HandlerSettings settings, IncomingRequest request, CancellationToken cancellationToken)
    {
        var waits = SynchronousCalls.Waits;
        var call = new MeasuredCall(settings, isExact: Volatile.Read(ref _quickCalls) == 0);
        var hasEnded = true;
        try
        {
            var pending = invoke(request, cancellationToken);
            hasEnded = pending.IsCompleted;
            return pending;
        }
        finally
        {
            var hasWaited = SynchronousCalls.Waits != waits;
            if (hasWaited) { StayBuffered(); }
            if (hasWaited || hasEnded) { RecordBuffered(!hasWaited && call.Took(Quick) <= Quick, settings.LearnsHandlers); }
        }
    }

    // If it asks somebody, it probably waits for the answer, and must not do that on a lane again.
    private ValueTask<CoapResponse> InvokeLearned(IncomingRequest request, CancellationToken cancellationToken)
    {
        var waits = SynchronousCalls.BeginHandler(out var outer);
        try { return invoke(request, cancellationToken); }
        finally
        {
            if (SynchronousCalls.EndHandler(outer) != waits) { StayBuffered(); }
        }
    }

    // One slow call proves nothing: the system may suspend any thread. Three slow calls with fewer than 32 fast ones between them do.
    private bool IsOftenSlow(bool wasSlow)
    {
        var score = Volatile.Read(ref _slowness);
        if (wasSlow) { Volatile.Write(ref _slowness, score + SlowCall); }
        else if (score > 0) { Volatile.Write(ref _slowness, score - 1); }
        return wasSlow && score + SlowCall > SlowEnough;
    }

    // The user did not choose to run the handler on a lane. Fast calls between slow ones prove nothing, because an attacker can cause them,
    // too. So what counts is the share of the lane's time: three calls of more than 2 ms are too much, and a hundred of 0.1 ms.
    private bool IsUnlearned(TimeSpan took, TimeProvider time)
    {
        if (took <= Quick) { return false; }
        var now = time.GetTimestamp();
        var forgiven = time.GetElapsedTime(Volatile.Read(ref _lastSlowCall), now).Ticks / ForgivenShare;
        var slowTime = Math.Max(0, Volatile.Read(ref _slowTime) - forgiven) + took.Ticks;
        Volatile.Write(ref _slowTime, slowTime);
        Volatile.Write(ref _lastSlowCall, now);
        return slowTime > MaxSlowTime;
    }
}
