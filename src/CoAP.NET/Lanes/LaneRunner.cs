namespace CoAP.Lanes;

/// <summary>Gives a lane its turns, one at a time.</summary>
internal abstract class LaneRunner
{
    /// <summary>There is something in the inbox. Any thread.</summary>
    public abstract void Wake();

    /// <summary>The same, where the calling thread has nothing else to do and may give the lane its turn.</summary>
    public virtual void WakeHere() => Wake();

    /// <summary>Has the calling thread do the work between two turns, where the lane is at rest; <see langword="false"/> where it is not.</summary>
    public virtual bool TryRunHere(LaneWork work) => false;

    /// <summary>Begins to give turns.</summary>
    public abstract void Start();

    /// <summary>Gives the last turn, ends the lane and completes.</summary>
    public abstract Task StopAsync();
}
