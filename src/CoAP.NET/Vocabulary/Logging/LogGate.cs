namespace CoAP.Vocabulary;

/// <summary>Allows one log message every ten seconds and counts the others, so that peers cannot fill the log. Safe for concurrent use.</summary>
internal sealed class LogGate(TimeProvider time)
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(10);

    private readonly Lock _lock = new();
    private long _last;
    private long _held;
    private bool _hasPassed;

    /// <summary>Returns whether the message may be written now, and gets the number of messages that were suppressed since the last one.</summary>
    public bool TryPass(out long held)
    {
        lock (_lock)
        {
            held = _held;
            var now = time.GetTimestamp();
            if (_hasPassed && time.GetElapsedTime(_last, now) < Interval)
            {
                _held++;
                return false;
            }
            (_last, _held, _hasPassed) = (now, 0, true);
            return true;
        }
    }
}
