namespace CoAP;

/// <summary>A client has begun a new session with the credentials of an earlier one, and continues it (<see cref="DtlsServerSettings.ContinuesPeer"/>).</summary>
/// <param name="Former">The identity of the client in the earlier session, which has ended.</param>
/// <param name="Peer">The identity of the client now.</param>
/// <param name="Credentials">The credentials.</param>
public sealed record PeerRenewal(PeerIdentity Former, PeerIdentity Peer, PeerCredentials Credentials);
