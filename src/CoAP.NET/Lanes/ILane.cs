using Microsoft.Extensions.Logging;

namespace CoAP;

/// <summary>The lane that a stage of the mesh runs on: a single-owner engine with a clock, an inbox and timers.</summary>
/// <remarks>A lane runs one thing at a time, so what belongs to it needs no locks. Only <see cref="Post"/> may be called from other threads.</remarks>
public interface ILane
{
    /// <summary>The time of the current turn since the lane was created. It never goes back.</summary>
    TimeSpan Now { get; }

    /// <summary>The log of the endpoint.</summary>
    ILogger Logger { get; }

    /// <summary>Runs an action on the lane soon. May be called from any thread; does nothing if the lane has ended.</summary>
    void Post(Action action);

    /// <summary>Creates a timer whose action runs on the lane.</summary>
    LaneTimer CreateTimer(Action action);
}
