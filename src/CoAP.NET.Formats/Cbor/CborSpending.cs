namespace CoAP.Formats;

/// <summary>Bounds the memory that a value takes while it is read on one thread.</summary>
/// <remarks>
/// Estimates are added up until they are worth a look at what the thread has allocated. So a small value costs one subtraction for each
/// collection and text, and large objects count with their size, whatever their types are.
/// </remarks>
internal struct CborSpending
{
    /// <summary>The estimate for an array or map: an object, and its place in another one.</summary>
    public const int Collection = 64;

    /// <summary>The estimate for a text or byte string without its contents.</summary>
    public const int Text = 32;

    private const long CheckEvery = 1 << 20;
    private const long NotYet = -1;

    private long _untilCheck;
    private long _start;
    private bool _isOn;

    /// <summary>Begins a value. It must be read by synchronous code of this library.</summary>
    public void Start() => (_isOn, _untilCheck, _start) = (true, CheckEvery, NotYet);

    /// <summary>Ends the last value. What other code allocates between two calls of a reader is none of our business.</summary>
    public void Stop() => (_isOn, _untilCheck) = (false, long.MaxValue);

    /// <summary>Counts memory that is about to be allocated. Returns <see langword="false"/> if it is too much.</summary>
    public bool TrySpend(long bytes, long most) => (_untilCheck -= bytes) >= 0 || IsAllowed(bytes, most);

    private bool IsAllowed(long bytes, long most)
    {
        _untilCheck = _isOn ? CheckEvery : long.MaxValue;
        if (!_isOn) { return true; }
        var now = GC.GetAllocatedBytesForCurrentThread();
        if (_start == NotYet) { _start = now; }
        return now - _start + bytes <= most;
    }
}
