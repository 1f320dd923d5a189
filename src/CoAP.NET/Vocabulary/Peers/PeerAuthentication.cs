namespace CoAP;

/// <summary>The values of <see cref="System.Security.Principal.IIdentity.AuthenticationType"/> for <see cref="IncomingRequest.User"/>.</summary>
/// <remarks>A user whom a web host has authenticated has the type of that host.</remarks>
public static class PeerAuthentication
{
    /// <summary>The peer has a validated certificate (RFC 7252, section 9.1.3.3).</summary>
    public const string Certificate = "Certificate";

    /// <summary>The peer has a pre-shared key (RFC 7252, section 9.1.3.1).</summary>
    public const string PreSharedKey = "PreSharedKey";

    /// <summary>The peer has a validated raw public key (RFC 7252, section 9.1.3.2).</summary>
    public const string RawPublicKey = "RawPublicKey";
}
