namespace CoAP.Resources;

/// <summary>The handler of one method of one resource, and where it runs.</summary>
/// <remarks>
/// Several lanes and threads record its calls. If they overwrite each other's records, a decision only comes a little later.
/// </remarks>
internal sealed class Handler(RequestDelegate invoke, HandlerMode mode, string template)
{
    /// <summary>The longest time of a quick call. A lane receives about as long a batch of datagrams.</summary>
    public static readonly TimeSpan Quick = TimeSpan.FromMicroseconds(100);

    /// <summary>The longest time of a call on a lane that counts as fast. A longer one delays the other peers of the lane.</summary>
    public static readonly TimeSpan Slow = TimeSpan.FromMilliseconds(2);

    private const int SlowCall = 32;
    private const int SlowEnough = 2 * SlowCall;
    private const int EnoughQuickCalls = 64;
    private const int MaxReturns = 3;
    private const int MaxSlowCalls = 3;

    private static readonly TimeSpan TooSlow = TimeSpan.FromMilliseconds(100);
    private static readonly long SlowCallIsForgotten = TimeSpan.FromMinutes(1).Ticks;

    private int _isBuffered = mode == HandlerMode.Inline ? 0 : 1;
    private int _slowness;
    private int _quickCalls;    // in a row, on handler threads
    private int _returns;       // how often it was too slow for a lane
    private int _slowCalls;     // on a lane, lately
    private long _lastSlowCall;
    private bool _hasWaited;

    public RequestDelegate Invoke { get; } = invoke;

    /// <summary>The mode that it was mapped with.</summary>
    public HandlerMode Mode => mode;

    /// <summary>The template of the resource, for log lines.</summary>
    public string Template { get; } = template;

    /// <summary>Whether the next call belongs on a handler thread.</summary>
    public bool IsBuffered => Volatile.Read(ref _isBuffered) != 0;

    /// <summary>Whether its last calls on handler threads were quick, so that the next one will probably be.</summary>
    public bool IsQuick => Volatile.Read(ref _quickCalls) >= EnoughQuickCalls;

    /// <summary>Whether a request may have to wait for the handler. <see langword="false"/> for an inline handler that has always answered at once.</summary>
    public bool MayWait => _hasWaited || IsBuffered;

    /// <summary>
    /// Whether the last call on a handler thread was not quick. The next one is then measured without what its thread lost to others.
    /// </summary>
    public bool WasSlowLast => Volatile.Read(ref _quickCalls) == 0;

    /// <summary>Records that the handler did not answer at once.</summary>
    public void Waits() => _hasWaited = true;

    /// <summary>Makes the handler a buffered one. Returns <see langword="true"/> to the one caller that changed it.</summary>
    public bool MoveToBuffered()
    {
        Volatile.Write(ref _quickCalls, 0);
        if (Interlocked.Exchange(ref _isBuffered, 1) != 0) { return false; }
        Interlocked.Increment(ref _returns);
        return true;
    }

    /// <summary>Makes the handler a buffered one for ever, because it has waited for a lane.</summary>
    public void StayBuffered()
    {
        Volatile.Write(ref _returns, MaxReturns);
        MoveToBuffered();
    }

    /// <summary>Records a call on a handler thread. A handler that learns runs inline after enough quick calls in a row.</summary>
    /// <param name="wasQuick">Whether the call took less than <see cref="Quick"/>.</param>
    /// <param name="mayLearn">Whether handlers of the endpoint learn.</param>
    public void RecordBuffered(bool wasQuick, bool mayLearn)
    {
        var calls = wasQuick ? Math.Min(Volatile.Read(ref _quickCalls) + 1, EnoughQuickCalls) : 0;
        Volatile.Write(ref _quickCalls, calls);
        if (!mayLearn || calls < EnoughQuickCalls || mode != HandlerMode.Learned || Volatile.Read(ref _returns) >= MaxReturns) { return; }
        Volatile.Write(ref _slowCalls, 0);
        Volatile.Write(ref _isBuffered, 0);
    }

    /// <summary>Records a call on a lane. Returns <see langword="true"/> if the handler is too slow to stay there.</summary>
    /// <param name="took">The time of the call, without what its thread lost to others.</param>
    /// <param name="now">The time in ticks.</param>
    public bool IsTooSlowAfter(TimeSpan took, long now) => mode == HandlerMode.Learned ? IsUnlearned(took, now) : IsOftenSlow(took > Slow);

    // One slow call proves nothing: the system may suspend any thread. Three slow calls with fewer than 32 fast ones between them do.
    private bool IsOftenSlow(bool wasSlow)
    {
        var score = Volatile.Read(ref _slowness);
        if (wasSlow) { Volatile.Write(ref _slowness, score + SlowCall); }
        else if (score > 0) { Volatile.Write(ref _slowness, score - 1); }
        return wasSlow && score + SlowCall > SlowEnough;
    }

    // Nobody has said that the handler may run on a lane. Fast calls in between prove nothing, because an attacker can make them, too.
    private bool IsUnlearned(TimeSpan took, long now)
    {
        if (took <= Slow) { return false; }
        var calls = now - Volatile.Read(ref _lastSlowCall) > SlowCallIsForgotten ? 1 : Volatile.Read(ref _slowCalls) + 1;
        Volatile.Write(ref _slowCalls, calls);
        Volatile.Write(ref _lastSlowCall, now);
        return calls >= MaxSlowCalls || took > TooSlow;
    }
}
