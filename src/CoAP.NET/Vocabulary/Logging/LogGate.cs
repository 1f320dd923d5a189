namespace CoAP;

/// <summary>Allows one log message every ten seconds and counts the others, so that peers cannot fill the log.</summary>
/// <remarks>Safe for concurrent use.</remarks>
/// <param name="time">The clock.</param>
public sealed class LogGate(TimeProvider time)
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(10);

    private readonly TimeProvider _time = time ?? throw new ArgumentNullException(nameof(time));
    private readonly Lock _lock = new();
    private long _last;
    private long _held;
    private bool _hasPassed;

    /// <summary>Returns whether the message may be written now.</summary>
    /// <param name="held">The number of messages that were suppressed since the last one.</param>
    public bool TryPass(out long held)
    {
        lock (_lock)
        {
            held = _held;
            var now = _time.GetTimestamp();
            if (_hasPassed && _time.GetElapsedTime(_last, now) < Interval)
            {
                _held++;
                return false;
            }
            (_last, _held, _hasPassed) = (now, 0, true);
            return true;
        }
    }
}
