namespace CoAP.Resources;

/// <summary>What answers one method of one resource, and where it is called.</summary>
internal sealed class Handler(RequestDelegate invoke, HandlerMode mode, string template)
{
    private int _mode = (int)mode;

    public RequestDelegate Invoke { get; } = invoke;

    public HandlerMode Mode => (HandlerMode)Volatile.Read(ref _mode);

    /// <summary>The path of the resource as it was mapped, for log lines.</summary>
    public string Template { get; } = template;

    /// <summary>
    /// Moves an inline handler that proved slow behind the buffer; <see langword="true"/> for the one caller that did it.
    /// </summary>
    public bool MoveToBuffered() => Interlocked.Exchange(ref _mode, (int)HandlerMode.Buffered) == (int)HandlerMode.Inline;
}
