using CoAP.Measurements.Reporting;

namespace CoAP.Measurements.Servers.Load;

/// <summary>What some of the connections ask for, how often, and what became of it.</summary>
/// <param name="request">The bytes of the request.</param>
/// <param name="isReverse">Whether the reversed text has to come back.</param>
/// <param name="pause">The time from an answer to the next request.</param>
internal sealed class Asker(byte[] request, bool isReverse, TimeSpan pause = default)
{
    public byte[] Request { get; } = request;

    public bool IsReverse { get; } = isReverse;

    public TimeSpan Pause { get; } = pause;

    public LatencyHistogram Latencies { get; } = new();

    /// <summary>Answers that were errors or not what was asked for.</summary>
    public long Wrong { get; set; }

    /// <summary>Requests without an answer.</summary>
    public long Missing { get; set; }
}
