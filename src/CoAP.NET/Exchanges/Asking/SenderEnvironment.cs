using CoAP.Runtimes;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace CoAP.Exchanges;

/// <summary>What extensions of senders need besides the sender: time, log, and limits of the client at the end of its steps.</summary>
/// <param name="Runtime">Runs the code of users: on threads, or by the scheduler of a simulated network.</param>
/// <param name="Time">The clock.</param>
/// <param name="Logger">The log.</param>
/// <param name="MaxDiscoveredLinks">The largest number of links that are read from one response.</param>
/// <param name="ListenFor">The time to wait for the responses of a group.</param>
internal sealed record SenderEnvironment(
    EndpointRuntime Runtime, TimeProvider Time, ILogger Logger, int MaxDiscoveredLinks, TimeSpan ListenFor)
{
    /// <summary>The environment of senders that others have written.</summary>
    public static SenderEnvironment Default { get; } =
        new(EndpointRuntime.Threads, TimeProvider.System, NullLogger.Instance, MaxDiscoveredLinks: 100_000, ListenFor: TimeSpan.FromSeconds(10));
}
