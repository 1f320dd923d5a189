using CoAP.Lanes;

namespace CoAP.TestSupport;

/// <summary>Runs a lane without a thread: the wire gives its turns.</summary>
internal sealed class PumpedRunner : LaneRunner
{
    /// <summary>Set when there is work for the lane.</summary>
    public ManualResetEventSlim Work { get; } = new();

    public override void Wake() => Work.Set();

    public override void Start() => throw new NotSupportedException("The wire gives the turns.");

    public override Task StopAsync() => throw new NotSupportedException("The wire gives the turns.");
}
