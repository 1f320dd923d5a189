using CoAP.Lanes;
using CoAP.Runtimes;
using CoAP.Vocabulary;

namespace CoAP.Resources;

/// <summary>The settings of handlers.</summary>
/// <param name="MaxInlinePayload">The largest payload of an inline handler in bytes.</param>
/// <param name="Log">The log of the endpoint.</param>
/// <param name="Rate">Limits the requests of accounts; <see langword="null"/> if there is no limit.</param>
/// <param name="Time">The clock.</param>
/// <param name="Runtime">Runs buffered handlers and the continuations of all.</param>
internal sealed record HandlerSettings(int MaxInlinePayload, EndpointLog Log, RateLimit? Rate, TimeProvider Time, EndpointRuntime Runtime)
{
    /// <summary>Whether handlers that learn may run inline.</summary>
    public required bool LearnsHandlers { get; init; }

    /// <summary>Returns the time that the calling thread has lost to others since it began (<see cref="ThreadDelays"/>).</summary>
    public required Func<TimeSpan> LostTime { get; init; }
}
