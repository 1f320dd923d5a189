using CoAP.Reliability;

namespace CoAP.Lanes;

/// <summary>Something that the lane wakes at a time of its choosing.</summary>
internal interface ILaneDeadline : IDeadline
{
    /// <summary>The time has come. To be woken again, schedule again.</summary>
    void OnDeadline();

    /// <summary>The lane has ended, so that the time will not come.</summary>
    void Abandon()
    {
    }
}
