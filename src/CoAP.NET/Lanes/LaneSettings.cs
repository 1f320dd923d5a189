using CoAP.Runtimes;
using CoAP.Vocabulary;

namespace CoAP.Lanes;

/// <summary>The settings of a lane.</summary>
/// <param name="Time">The clock.</param>
/// <param name="Log">The log of the endpoint.</param>
/// <param name="Runtime">Runs the turns of the lane and user code.</param>
/// <param name="Stopping">Canceled when the endpoint stops.</param>
internal sealed record LaneSettings(TimeProvider Time, EndpointLog Log, EndpointRuntime Runtime, CancellationToken Stopping)
{
    /// <summary>Tells users which channels open and close; <see langword="null"/> if nobody can subscribe.</summary>
    public ChannelEvents? Events { get; init; }
}
