namespace CoAP.Load.Compare;

/// <summary>One round of one server.</summary>
/// <param name="Case">The load.</param>
/// <param name="Peer">The server.</param>
/// <param name="Round">Counted from 1.</param>
/// <param name="Result">What came of it.</param>
/// <param name="Window">The time window in seconds that the server's deduplication held; nothing if it does not tell.</param>
internal sealed record Measurement(Case Case, Peer Peer, int Round, LoadResult Result, double? Window);
