using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace CoAP.Vocabulary;

/// <summary>The log of an endpoint, with a gate for each reason and source. Safe for concurrent use.</summary>
/// <param name="logger">The user's logger.</param>
/// <param name="time">The clock.</param>
internal sealed class EndpointLog(ILogger logger, TimeProvider time)
{
    // Limits the memory that gates use. An endpoint can have any number of resources.
    private const int MaxGates = 1024;

    private readonly ConcurrentDictionary<(LogEvent Reason, object? Source), LogGate> _gates = new();
    private readonly TimeProvider _time = time;
    private readonly CategoryLogger? _categories = logger as CategoryLogger;
    private int _count;

    /// <summary>The logger without the gates.</summary>
    public ILogger Logger { get; } = logger;

    /// <summary>Whether a line is written for each request.</summary>
    public bool WritesRequests => _categories is { WritesOnlyErrors: false } categories && categories.IsEnabled(LogLevel.Debug, LogCategories.Requests);

    /// <summary>Returns whether the message may be written now, and gets the number of similar messages that were suppressed since the last one.</summary>
    /// <param name="reason">The kind of message.</param>
    /// <param name="source">
    /// The template of a resource, or another object that identifies similar messages. It must not come from a peer, because a peer can send any number
    /// of different values. <see langword="null"/> if all messages of this kind are similar.
    /// </param>
    /// <param name="held">The number of suppressed messages.</param>
    public bool TryPass(LogEvent reason, object? source, out long held) => GateFor(reason, source).TryPass(out held);

    private LogGate GateFor(LogEvent reason, object? source)
    {
        if (_gates.TryGetValue((reason, source), out var gate)) { return gate; }
        if (source is not null && Interlocked.Increment(ref _count) > MaxGates)
        {
            Interlocked.Decrement(ref _count);
            source = null;
        }
        return _gates.GetOrAdd((reason, source), static (_, time) => new LogGate(time), _time);
    }
}
