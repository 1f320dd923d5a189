namespace CoAP;

/// <summary>What a client has sent before its key is needed. None of it is authenticated yet.</summary>
/// <param name="Identity">The identity of the key (RFC 4279, section 2).</param>
/// <param name="ServerName">The name of the server that the client has asked for (RFC 6066, section 3); empty if it has sent none.</param>
/// <param name="Address">The address of the client.</param>
public readonly record struct PskRequest(string Identity, string ServerName, PeerIdentity Address);
