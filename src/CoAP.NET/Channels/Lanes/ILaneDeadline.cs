using CoAP.Reliability;

namespace CoAP.Channels;

/// <summary>Something that the lane wakes at a time of its choosing.</summary>
internal interface ILaneDeadline : IDeadline
{
    /// <summary>The time has come. To be woken again, schedule again.</summary>
    void OnDeadline();
}
