namespace CoAP;

/// <summary>A client has started a new session that replaces its last one (<see cref="DtlsServerSettings.ContinuesPeer"/>).</summary>
/// <param name="Former">The identity of the client in the earlier session, which has ended.</param>
/// <param name="Peer">The identity of the client in the new session.</param>
/// <param name="Credentials">The credentials, which are the same in both sessions.</param>
public sealed record PeerRenewal(PeerIdentity Former, PeerIdentity Peer, PeerCredentials Credentials);
