using CoAP.Reliability;

namespace CoAP.Lanes;

/// <summary>An item that the lane calls when its deadline has come.</summary>
internal interface ILaneDeadline : IDeadline
{
    /// <summary>Called when the deadline has come. The item must be scheduled again to be called again.</summary>
    void OnDeadline();

    /// <summary>Called if the lane ends before the deadline.</summary>
    void OnLaneEnded() { }
}

/// <summary>A deadline that moves. The lane sets it.</summary>
internal interface IMovableDeadline : ILaneDeadline
{
    new long Deadline { get; set; }
}

internal static class MovableDeadlines
{
    /// <summary>Moves the deadline of an item; <see cref="long.MaxValue"/> removes it from the lane.</summary>
    public static void WakeAt(this Lane lane, IMovableDeadline item, long time)
    {
        item.Deadline = time;
        if (time == long.MaxValue) { lane.Unschedule(item); }
        else { lane.Schedule(item); }
    }
}
