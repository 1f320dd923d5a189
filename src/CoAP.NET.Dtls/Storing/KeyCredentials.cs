namespace CoAP.Dtls;

/// <summary>Creates the credentials of peers with pre-shared keys, from a handshake or from a stored session.</summary>
internal static class KeyCredentials
{
    /// <summary>Returns the credentials of a peer with an identity.</summary>
    /// <param name="identity">The identity.</param>
    /// <param name="serverName">The name on which its key depends; <see langword="null"/> if it depends on none.</param>
    public static PeerCredentials Of(byte[] identity, string? serverName) => new()
    {
        PreSharedKeyIdentity = KeyIdentity.TryRead(identity, out var text) ? text : null,
        PreSharedKeyIdentityBytes = identity,
        ServerName = serverName,
    };
}
