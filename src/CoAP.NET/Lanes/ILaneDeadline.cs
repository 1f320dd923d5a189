using CoAP.Reliability;

namespace CoAP.Lanes;

/// <summary>An item that the lane calls when its deadline has come.</summary>
internal interface ILaneDeadline : IDeadline
{
    /// <summary>Called when the deadline has come. The item must be scheduled again to be called again.</summary>
    void OnDeadline();

    /// <summary>Called if the lane ends before the deadline.</summary>
    void Abandon()
    {
    }
}
