namespace CoAP;

/// <summary>A peer has another address, at which it has proven that it receives. Its session goes on (RFC 9146).</summary>
/// <param name="Peer">The identity of the peer, which has not changed.</param>
/// <param name="Credentials">The credentials of the peer; <see langword="null"/> if it has none.</param>
/// <param name="From">The address before.</param>
/// <param name="To">The address now.</param>
public sealed record PeerMove(PeerIdentity Peer, PeerCredentials? Credentials, PeerIdentity From, PeerIdentity To);
