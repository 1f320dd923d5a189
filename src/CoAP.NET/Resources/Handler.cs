namespace CoAP.Resources;

/// <summary>The handler of one method of one resource, and where it runs.</summary>
/// <remarks>
/// Several lanes and threads record its calls. If they overwrite each other's records, a decision only comes a little later.
/// </remarks>
internal sealed class Handler(RequestDelegate invoke, HandlerMode mode, string template)
{
    /// <summary>The longest time of a quick call. A lane receives about as long a batch of datagrams.</summary>
    public static readonly TimeSpan Quick = TimeSpan.FromMicroseconds(100);

    private const int SlowCall = 32;
    private const int SlowEnough = 2 * SlowCall;
    private const int EnoughQuickCalls = 64;
    private const int MaxReturns = 3;

    private int _isBuffered = mode == HandlerMode.Inline ? 0 : 1;
    private int _slowness;
    private int _quickCalls;    // in a row, on handler threads
    private int _returns;       // how often it was too slow for a lane
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
    /// Whether the last call was not quick, or one on a lane was slow lately. The next call is then measured without what its thread lost
    /// to others.
    /// </summary>
    public bool IsWatched => IsBuffered ? Volatile.Read(ref _quickCalls) == 0 : Volatile.Read(ref _slowness) > 0;

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
        Volatile.Write(ref _slowness, 0);
        Volatile.Write(ref _isBuffered, 0);
    }

    /// <summary>Records an inline call. Returns <see langword="true"/> if the handler is too slow to stay inline.</summary>
    /// <remarks>
    /// One slow call proves nothing: the runtime compiles the first call, and the system may suspend any thread. Three slow calls with fewer than 32
    /// fast ones between them do: the second and the third are measured exactly (<see cref="IsWatched"/>).
    /// </remarks>
    public bool IsTooSlowAfter(bool wasSlow)
    {
        var score = Volatile.Read(ref _slowness);
        if (wasSlow) { Volatile.Write(ref _slowness, score + SlowCall); }
        else if (score > 0) { Volatile.Write(ref _slowness, score - 1); }
        return wasSlow && score + SlowCall > SlowEnough;
    }
}
