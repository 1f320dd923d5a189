namespace CoAP.Load.Compare;

/// <summary>One round of one server.</summary>
/// <param name="Case">The load.</param>
/// <param name="Peer">The server.</param>
/// <param name="Round">Counted from 1.</param>
/// <param name="Result">What came of it.</param>
/// <param name="Told">What the server has told of itself, since its start.</param>
internal sealed record Measurement(Case Case, Peer Peer, int Round, LoadResult Result, ServerTold Told);

/// <summary>What a server tells of itself; nothing of what it does not tell.</summary>
/// <param name="Window">The time window in seconds that its deduplication held last.</param>
/// <param name="LongestPause">The longest time in milliseconds for which the runtime held all threads.</param>
/// <param name="Pauses">How often it did.</param>
/// <param name="Allocated">The bytes allocated.</param>
/// <param name="OlderCollections">How often more than the youngest objects were collected.</param>
/// <param name="Received">The messages received.</param>
internal sealed record ServerTold(
    double? Window, double? LongestPause, double? Pauses, double? Allocated, double? OlderCollections, double? Received)
{
    /// <summary>Everything it has allocated since its start, for each message that it received; nothing before the first.</summary>
    public double? AllocatedPerMessage => Received > 0 ? Allocated / Received : null;
}
