namespace CoAP;

/// <summary>A session of a security layer such as DTLS.</summary>
/// <param name="Peer">The identity of the peer, and the local address of its messages.</param>
/// <param name="Credentials">The credentials of the peer; <see langword="null"/> if it has none.</param>
/// <param name="OpenedAt">The time at which the session began, on the clock of the lane (<see cref="ILane.Now"/>).</param>
/// <param name="HeardAt">The time of the last message of the peer, on the same clock.</param>
public readonly record struct SecuredSession(ChannelKey Peer, PeerCredentials? Credentials, TimeSpan OpenedAt, TimeSpan HeardAt);
