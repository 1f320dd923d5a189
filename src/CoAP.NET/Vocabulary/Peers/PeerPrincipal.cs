using System.Security.Claims;
using System.Security.Cryptography.X509Certificates;

namespace CoAP.Vocabulary;

/// <summary>Makes a principal of the credentials of a peer.</summary>
internal static class PeerPrincipal
{
    /// <summary>The type of the claim with an IP address of a certificate. <see cref="ClaimTypes"/> has none.</summary>
    public const string AddressClaim = "ipaddress";

    /// <summary>Returns a principal: the user of the web host as it is, an anonymous principal without credentials, and otherwise a new one.</summary>
    public static ClaimsPrincipal Of(PeerCredentials? credentials) => credentials switch
    {
        null => new ClaimsPrincipal(new ClaimsIdentity()),
        { User: { Identity.IsAuthenticated: true } user } => user,
        // The claims are read from the certificate once. A step may add claims to the identity, so each request gets its own.
        { Claims: { } claims } => new ClaimsPrincipal(claims.Clone()),
        { User: { } user } => user,
        _ => new ClaimsPrincipal(new ClaimsIdentity()),
    };

    /// <summary>Returns the identity that the credentials prove; <see langword="null"/> if they contain only a user of a web host.</summary>
    public static ClaimsIdentity? IdentityOf(PeerCredentials credentials) => credentials switch
    {
        { Certificate: { } certificate } => Of(certificate),
        { RawPublicKey: { } key } => Named(PeerAuthentication.RawPublicKey, key.Identifier, key.Identifier),
        { PreSharedKeyIdentity: { Length: > 0 } identity, ServerName: null or "" } => Named(PeerAuthentication.PreSharedKey, identity, identity),
        // Identities as text contain no zero, so none of them is equal.
        { User: null, Identity: { } name } => Named(PeerAuthentication.PreSharedKey, "\0" + name, "\0" + name),
        _ => null,
    };

    private static ClaimsIdentity Of(X509Certificate2 certificate)
    {
        var names = AlternativeNames.Of(certificate);
        var name = certificate.GetNameInfo(X509NameType.SimpleName, forIssuer: false);
        if (string.IsNullOrEmpty(name)) { name = names.Count > 0 ? names[0].Value : certificate.Thumbprint; }
        var identity = Named(PeerAuthentication.Certificate, name, certificate.Thumbprint);
        identity.AddClaim(new Claim(ClaimTypes.Thumbprint, certificate.Thumbprint));
        identity.AddClaim(new Claim(ClaimTypes.X500DistinguishedName, certificate.Subject));
        identity.AddClaims(names);
        return identity;
    }

    private static ClaimsIdentity Named(string authenticationType, string name, string identifier) =>
        new([new Claim(ClaimTypes.Name, name), new Claim(ClaimTypes.NameIdentifier, identifier)], authenticationType);
}
