using System.Security.Claims;
using System.Security.Cryptography.X509Certificates;
using CoAP.Vocabulary;

namespace CoAP;

/// <summary>The credentials of the peer on a secured association. A plain transport has none.</summary>
public sealed class PeerCredentials
{
    /// <summary>The validated certificate of the peer.</summary>
    public X509Certificate2? Certificate { get; init; }

    /// <summary>The identity of the pre-shared key; <see langword="null"/> if it is not text (<see cref="PreSharedKeyIdentityBytes"/>).</summary>
    public string? PreSharedKeyIdentity { get; init; }

    /// <summary>
    /// The identity of the pre-shared key as the peer has sent it. Empty if there is none, or only <see cref="PreSharedKeyIdentity"/> is set.
    /// </summary>
    public ReadOnlyMemory<byte> PreSharedKeyIdentityBytes { get; init; }

    /// <summary>
    /// The server name that the peer asked for (RFC 6066, section 3), if its key depends on that name. The same identity under another name
    /// is a different peer. Default: <see langword="null"/>.
    /// </summary>
    public string? ServerName { get; init; }

    /// <summary>The validated raw public key of the peer.</summary>
    public RawPublicKey? RawPublicKey { get; init; }

    /// <summary>The user that a web host has authenticated, if the peer is connected over a WebSocket.</summary>
    public ClaimsPrincipal? User { get; init; }

    /// <summary>
    /// The name of the identity: the kind of the credentials and the thumbprint, the identifier, the identity of the key or the name of the user. The same
    /// credentials have the same name, so it can be the key of a table. <see langword="null"/> if there is none.
    /// </summary>
    // Composed once, because each waiting request needs it.
    public string? Identity => field ??= this switch
    {
        { Certificate: { } certificate } => $"certificate {certificate.Thumbprint}",
        { RawPublicKey: { } raw } => $"raw key {raw.Identifier}",
        { PreSharedKeyIdentity: { Length: > 0 } identity } => $"key{Place} {identity}",
        { PreSharedKeyIdentityBytes: { IsEmpty: false } bytes } => $"binary key{Place} {Convert.ToHexStringLower(bytes.Span)}",
        { User.Identity.Name: { Length: > 0 } name } => $"user {name}",
        _ => null,
    };

    /// <summary>
    /// The part of a key that tells apart those who share an address. A stage may build new credentials for each message.
    /// </summary>
    internal object Key => (object?)Identity ?? this;

    // Nobody can choose an identity or a name that looks like another pair of both: the text in front of the first space has no other one.
    private string Place => ServerName is { Length: > 0 } name ? $"@{Uri.EscapeDataString(name)}" : "";

    /// <summary>The identity that the credentials prove, built once; <see langword="null"/> if they contain only a user of a web host.</summary>
    internal ClaimsIdentity? Claims => field ??= PeerPrincipal.IdentityOf(this);
}
