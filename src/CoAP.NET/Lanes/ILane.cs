using Microsoft.Extensions.Logging;

namespace CoAP;

/// <summary>The lane that a stage of the mesh runs on: a single-owner engine with a clock, an inbox and timers.</summary>
/// <remarks>A lane runs one piece of work at a time, so its state needs no locks. Only <see cref="Post"/> may be called from other threads.</remarks>
public interface ILane
{
    /// <summary>The time from the creation of the lane to the current turn. It never goes back.</summary>
    TimeSpan Now { get; }

    /// <summary>The log of the endpoint.</summary>
    ILogger Logger { get; }

    /// <summary>Queues an action that runs on the lane. May be called from any thread. Does nothing if the lane has ended.</summary>
    void Post(Action action);

    /// <summary>Creates a timer whose action runs on the lane.</summary>
    LaneTimer CreateTimer(Action action);
}
