namespace CoAP.Resources;

/// <summary>The handler of one method of one resource, and where it runs.</summary>
internal sealed class Handler(RequestDelegate invoke, HandlerMode mode, string template)
{
    private const int SlowCall = 32;
    private const int SlowEnough = 2 * SlowCall;

    private int _mode = (int)mode;
    private int _slowness;
    private bool _hasWaited;

    public RequestDelegate Invoke { get; } = invoke;

    public HandlerMode Mode => (HandlerMode)Volatile.Read(ref _mode);

    /// <summary>Whether a request may have to wait for the handler. <see langword="false"/> for an inline handler that has always answered at once.</summary>
    public bool MayWait => _hasWaited || Mode == HandlerMode.Buffered;

    /// <summary>Records that the handler did not answer at once.</summary>
    public void Waits() => _hasWaited = true;

    /// <summary>The template of the resource, for log lines.</summary>
    public string Template { get; } = template;

    /// <summary>Makes an inline handler a buffered one. Returns <see langword="true"/> to the one caller that changed it.</summary>
    public bool MoveToBuffered() => Interlocked.Exchange(ref _mode, (int)HandlerMode.Buffered) == (int)HandlerMode.Inline;

    /// <summary>Whether a call was slow lately, so that the next one is measured without what its thread lost to others.</summary>
    public bool IsWatched => Volatile.Read(ref _slowness) > 0;

    /// <summary>Records an inline call. Returns <see langword="true"/> if the handler is too slow to stay inline.</summary>
    /// <remarks>
    /// One slow call proves nothing: the runtime compiles the first call, and the system may suspend any thread. Three slow calls with fewer than 32
    /// fast ones between them do: the second and the third are measured exactly (<see cref="IsWatched"/>). If lanes overwrite each other's records, the
    /// result only comes a little later.
    /// </remarks>
    public bool IsTooSlowAfter(bool wasSlow)
    {
        var score = Volatile.Read(ref _slowness);
        if (wasSlow) { Volatile.Write(ref _slowness, score + SlowCall); }
        else if (score > 0) { Volatile.Write(ref _slowness, score - 1); }
        return wasSlow && score + SlowCall > SlowEnough;
    }
}
