using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Runtimes;

namespace CoAP.TestSupport;

/// <summary>Runs a lane without a thread: the wire gives its turns.</summary>
internal sealed class PumpedRunner() : LaneRunner(EndpointRuntime.Threads)
{
    private static readonly TimeSpan RealPatience = TimeSpan.FromMinutes(1);

    /// <summary>Set when there is work for the lane.</summary>
    public ManualResetEventSlim Work { get; } = new();

    public override void Wake() => Work.Set();

    public override void Start() => throw new NotSupportedException("The wire gives the turns.");

    public override Task StopAsync() => throw new NotSupportedException("The wire gives the turns.");

    /// <summary>Waits, in real time, for a thread that has something for the lane.</summary>
    public void AwaitWork()
    {
        if (!Work.Wait(RealPatience)) { throw new TimeoutException("No other thread brought work to the lane."); }
        Work.Reset();
    }

    /// <summary>Waits, in real time, for threads that compute the tags of large responses: simulated time must not run ahead.</summary>
    public void AwaitTags(ExchangeLane lane)
    {
        while (!lane.HasInboxWork && lane.OpenRequests.Any(AwaitsTag)) { AwaitWork(); }
    }

    private static bool AwaitsTag(IOpenRequest request) => request is IncomingRequest { Unanswered: UnansweredRequest { AwaitsTag: true } };
}
