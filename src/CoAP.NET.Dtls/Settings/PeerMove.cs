namespace CoAP;

/// <summary>A peer has moved to another address and has proven that it receives there. Its session continues (RFC 9146).</summary>
/// <param name="Peer">The identity of the peer, which has not changed.</param>
/// <param name="Credentials">The credentials of the peer; <see langword="null"/> if it has none.</param>
/// <param name="From">The previous address.</param>
/// <param name="To">The new address.</param>
public sealed record PeerMove(PeerIdentity Peer, PeerCredentials? Credentials, PeerIdentity From, PeerIdentity To);
