namespace CoAP.Lanes;

/// <summary>Something for a lane to do that comes from elsewhere. Stands in one inbox at a time.</summary>
internal abstract class LaneWork
{
    /// <summary>The next one in the inbox; the inbox's own.</summary>
    internal LaneWork? Next { get; set; }

    /// <summary>Does it, on the lane.</summary>
    public abstract void Run();

    /// <summary>The lane has ended and will not do it.</summary>
    public abstract void Abandon();
}

/// <summary>A piece of work that is nothing but an action, for what is rare.</summary>
internal sealed class LaneAction(Action run) : LaneWork
{
    public override void Run() => run();

    public override void Abandon()
    {
    }
}
