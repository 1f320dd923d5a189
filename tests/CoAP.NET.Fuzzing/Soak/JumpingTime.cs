namespace CoAP.Fuzzing.Soak;

/// <summary>The system's clock, which can be set ahead and back. Time stamps and timers go on as before, as on a machine whose clock is set.</summary>
internal sealed class JumpingTime : TimeProvider
{
    private long _offset;

    /// <summary>Sets the clock.</summary>
    public void Jump(TimeSpan by) => Interlocked.Add(ref _offset, by.Ticks);

    public override DateTimeOffset GetUtcNow() => base.GetUtcNow() + TimeSpan.FromTicks(Interlocked.Read(ref _offset));
}
