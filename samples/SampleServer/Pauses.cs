namespace SampleServer;

/// <summary>Measures how long each garbage collection paused all threads. Costs one object and its finalizer per collection.</summary>
internal sealed class Pauses
{
    private readonly Lock _lock = new();
    private TimeSpan _longest;
    private int _count;

    public Pauses() => Arm();

    /// <summary>The number of pauses so far and the longest of them.</summary>
    public (int Count, TimeSpan Longest) Read()
    {
        lock (_lock) { return (_count, _longest); }
    }

    // Nothing refers to this object: the next collection finds it and runs its finalizer.
    private void Arm() => _ = new Witness(this);

    private void Record()
    {
        var pauses = GC.GetGCMemoryInfo(GCKind.Any).PauseDurations;
        lock (_lock)
        {
            foreach (var pause in pauses) { _longest = pause > _longest ? pause : _longest; }
            _count++;
        }
        Arm();
    }

    private sealed class Witness(Pauses pauses)
    {
        ~Witness() => pauses.Record();
    }
}
