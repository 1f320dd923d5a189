namespace CoAP.Dtls;

/// <summary>The connection IDs of a session (RFC 9146, section 3).</summary>
/// <param name="Own">The ID in the records of the peer; empty if they have none.</param>
/// <param name="Peer">The ID in our records; empty if they have none.</param>
internal readonly record struct ConnectionIds(ReadOnlyMemory<byte> Own, ReadOnlyMemory<byte> Peer);
