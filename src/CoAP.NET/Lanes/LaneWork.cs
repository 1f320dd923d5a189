namespace CoAP.Lanes;

/// <summary>A piece of work that another thread gives to a lane. It can be in one inbox at a time.</summary>
internal abstract class LaneWork
{
    /// <summary>The next piece of work in the inbox. Only the inbox and the lane use it.</summary>
    internal LaneWork? Next { get; set; }

    /// <summary>Does the work. Called on the lane.</summary>
    public abstract void Run();

    /// <summary>Called instead of <see cref="Run"/> if the lane has ended.</summary>
    public virtual void Abandon() { }
}

/// <summary>Work that runs an action. Each one is allocated, so it is for rare work.</summary>
/// <param name="run">The work.</param>
/// <param name="abandon">Called instead if the lane has ended.</param>
internal sealed class LaneAction(Action run, Action? abandon = null) : LaneWork
{
    public override void Run() => run();

    public override void Abandon() => abandon?.Invoke();
}
