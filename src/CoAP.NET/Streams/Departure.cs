namespace CoAP.Streams;

/// <summary>What a peer wished when it released the connection (RFC 8323, section 5.5).</summary>
/// <param name="AlternativeAddresses">Where to connect instead, the first one first.</param>
/// <param name="HoldOff">How long not to connect to the same address again.</param>
/// <param name="At">When it said so, a timestamp of the settings' clock.</param>
internal sealed record Departure(IReadOnlyList<string> AlternativeAddresses, TimeSpan HoldOff, long At);
