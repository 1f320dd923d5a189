namespace CoAP.Vocabulary;

/// <summary>Lets one line in ten seconds through, and counts the others: what strangers can cause must not fill a log. Safe for concurrent use.</summary>
internal sealed class LogGate(TimeProvider time)
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(10);

    private readonly Lock _lock = new();
    private long _last;
    private long _held;
    private bool _hasPassed;

    /// <summary>Whether the line may be written now, and how many were held back since the one before it.</summary>
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
