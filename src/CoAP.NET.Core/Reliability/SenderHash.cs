namespace CoAP.Reliability;

/// <summary>The sender of a received message as the duplicate memory knows it: two hashes that it cannot predict.</summary>
/// <param name="Channel">Of the channel, or of one of those who share it. Duplicates have the same.</param>
/// <param name="Account">
/// Of what a share belongs to: the address without its port, the /48 of an IPv6 address, or the authenticated identity.
/// </param>
internal readonly record struct SenderHash(ulong Channel, ulong Account);
