using System.Text;
using CoAP.Dtls;

namespace CoAP;

/// <summary>What a client has sent before its key is needed. None of it is authenticated yet.</summary>
/// <param name="Identity">The identity of the key (RFC 4279, section 2); empty if it is not text. See <see cref="IdentityBytes"/>.</param>
/// <param name="ServerName">The name of the server that the client has asked for.</param>
/// <param name="Address">The address of the client.</param>
public readonly record struct PskRequest(string Identity, string ServerName, PeerIdentity Address)
{
    private readonly string? _serverName = ServerName;

    /// <summary>
    /// The name of the server that the client has asked for in lower case (RFC 6066, section 3); empty if it has sent none.
    /// </summary>
    /// <remarks>
    /// A store that reads the name may return different keys for the same identity. The name is then part of the client's identity
    /// (<see cref="PeerCredentials.ServerName"/>): clients with the same identity under different names are different peers.
    /// </remarks>
    public string ServerName
    {
        get
        {
            NameUse?.Note();
            return _serverName ?? "";
        }
        init => _serverName = value;
    }

    /// <summary>The identity as the client has sent it. It may be any bytes: a store that knows only text looks at <see cref="Identity"/>.</summary>
    public ReadOnlyMemory<byte> IdentityBytes { get; init; } = Encoding.UTF8.GetBytes(Identity ?? "");

    /// <summary>Learns whether a store reads the name.</summary>
    internal NameUse? NameUse { get; init; }

    /// <summary>Returns whether two requests have the same content.</summary>
    public bool Equals(PskRequest other) => Identity == other.Identity && _serverName == other._serverName && Address == other.Address
        && IdentityBytes.Span.SequenceEqual(other.IdentityBytes.Span);

    /// <summary>Returns a hash code of the content.</summary>
    public override int GetHashCode() => HashCode.Combine(Identity, Address);

    // To log a request is no use of the name.
    private bool PrintMembers(StringBuilder builder)
    {
        builder.Append($"Identity = {KeyIdentity.Describe(IdentityBytes.Span)}, ServerName = {_serverName}, Address = {Address}");
        return true;
    }
}
