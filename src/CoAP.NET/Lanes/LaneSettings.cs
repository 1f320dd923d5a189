using CoAP.Vocabulary;

namespace CoAP.Lanes;

/// <summary>The settings of a lane.</summary>
/// <param name="Time">The clock.</param>
/// <param name="Log">The log of the endpoint.</param>
/// <param name="Stopping">Canceled when the endpoint stops.</param>
/// <param name="Scheduler">Runs the turns of the lane and user code; <see langword="null"/> if threads do.</param>
internal sealed record LaneSettings(TimeProvider Time, EndpointLog Log, CancellationToken Stopping, NetworkScheduler? Scheduler = null)
{
    /// <summary>Tells users which channels open and close; <see langword="null"/> if nobody can subscribe.</summary>
    public ChannelEvents? Events { get; init; }
}
