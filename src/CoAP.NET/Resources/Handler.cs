namespace CoAP.Resources;

/// <summary>The handler of one method of one resource, and where it runs.</summary>
internal sealed class Handler(RequestDelegate invoke, HandlerMode mode, string template)
{
    private const int SlowCall = 32;
    private const int SlowEnough = 2 * SlowCall;

    private int _mode = (int)mode;
    private int _slowness;

    public RequestDelegate Invoke { get; } = invoke;

    public HandlerMode Mode => (HandlerMode)Volatile.Read(ref _mode);

    /// <summary>The path of the resource as it was mapped, for log lines.</summary>
    public string Template { get; } = template;

    /// <summary>
    /// Moves an inline handler that proved slow behind the buffer; <see langword="true"/> for the one caller that did it.
    /// </summary>
    public bool MoveToBuffered() => Interlocked.Exchange(ref _mode, (int)HandlerMode.Buffered) == (int)HandlerMode.Inline;

    /// <summary>Notes how long an inline call took, and answers whether the handler is too slow to stay inline.</summary>
    /// <remarks>
    /// One slow call proves nothing: the first one is compiled, and any thread may be put aside by the system. Three of them, with fewer than
    /// thirty quick ones between each, do. Lanes may overwrite each other's notes; the verdict only comes a little later then.
    /// </remarks>
    public bool NoteInlineCall(bool wasSlow)
    {
        var score = Volatile.Read(ref _slowness);
        if (wasSlow) { Volatile.Write(ref _slowness, score + SlowCall); }
        else if (score > 0) { Volatile.Write(ref _slowness, score - 1); }
        return wasSlow && score + SlowCall > SlowEnough;
    }
}
