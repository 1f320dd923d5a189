namespace CoAP.Transports;

/// <summary>Limits the time of one incomplete message of a WebSocket, and its rate while the account uses much of its share. Safe for concurrent use.</summary>
internal sealed class WebSocketMessageTimeout : IDisposable
{
    // Smaller messages hold too little memory to need a timer for their rate.
    private const int LeastWatched = 4 << 10;

    private readonly WebSocketLimits _limits;
    private readonly WebSocketCharge _charge;
    private readonly Lock _gate = new();
    private readonly CancellationTokenSource _timeout;
    private ITimer? _progressTimer;
    private MessageProgress _progress;
    private long _received;
    private string? _reason;
    private bool _isEnded;

    public WebSocketMessageTimeout(WebSocketLimits limits, WebSocketCharge charge)
    {
        (_limits, _charge) = (limits, charge);
        _timeout = new CancellationTokenSource(limits.MessageTimeout, limits.Time);
    }

    /// <summary>Canceled when the time is over.</summary>
    public CancellationToken Token => _timeout.Token;

    /// <summary>The reason for the end of the message; <see langword="null"/> while it may continue.</summary>
    public string? Reason => Volatile.Read(ref _reason) ?? (_timeout.IsCancellationRequested ? $"A message was not complete within {_limits.MessageTimeout}." : null);

    /// <summary>Counts received bytes.</summary>
    public void OnReceived(int count)
    {
        if (Interlocked.Add(ref _received, count) < LeastWatched || _progressTimer is not null) { return; }
        _progressTimer = _limits.Time.CreateTimer(
            static timeout => ((WebSocketMessageTimeout)timeout!).Check(), this, MessageProgress.FirstCheck, MessageProgress.Interval);
    }

    /// <summary>Restarts the time limit when a read begins.</summary>
    public void Start()
    {
        _timeout.CancelAfter(_limits.MessageTimeout);
        _progressTimer?.Change(MessageProgress.FirstCheck, MessageProgress.Interval);
    }

    /// <summary>Pauses the time limit until the next read, because the pause is not the fault of the peer.</summary>
    public void Pause()
    {
        _timeout.CancelAfter(Timeout.InfiniteTimeSpan);
        lock (_gate) { _progress = default; }
        _progressTimer?.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public void Dispose()
    {
        lock (_gate) { _isEnded = true; }
        _progressTimer?.Dispose();
        _timeout.Dispose();
    }

    private void Check()
    {
        lock (_gate)
        {
            if (_isEnded || !_progress.IsTooSlow(Volatile.Read(ref _received), _charge.IsScarce)) { return; }
            _reason = MessageProgress.TooSlow;
        }
        try { _timeout.Cancel(); }
        catch (ObjectDisposedException)
        {
            // The message ended during the check.
        }
    }
}
