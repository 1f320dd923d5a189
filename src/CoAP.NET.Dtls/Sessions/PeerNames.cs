using System.Buffers;
using System.Diagnostics.CodeAnalysis;

namespace CoAP.Dtls;

/// <summary>The identities of secured peers: the address at which a session began, and a name.</summary>
/// <remarks>
/// On a client, the name of a server is "coaps:" and the host of the URI, so a new session has the same identity. On a server, the name of a client is
/// "dtls:" and the ID of the session, which contains the number of its lane.
/// </remarks>
internal static class PeerNames
{
    private const string Server = "coaps:", Session = "dtls:";
    private const char Separator = '/';

    /// <summary>Returns the identity of a server.</summary>
    public static PeerIdentity OfServer(in PeerIdentity address, string host) => Of(address, Server + host);

    /// <summary>Returns the identity of a client.</summary>
    public static PeerIdentity OfClient(in PeerIdentity address, ReadOnlySpan<byte> id) => Of(address, Session + Convert.ToHexStringLower(id));

    /// <summary>Returns whether a peer is the identity of a server, and gets its address and host.</summary>
    public static bool TryReadServer(in PeerIdentity peer, out PeerIdentity address, [NotNullWhen(true)] out string? host) =>
        TryRead(peer, Server, out address, out host);

    /// <summary>Returns whether a peer is the identity of a client, and gets its address and the ID of its session.</summary>
    public static bool TryReadClient(in PeerIdentity peer, out PeerIdentity address, out byte[] id)
    {
        id = [];
        if (!TryRead(peer, Session, out address, out var hex)) { return false; }
        id = new byte[ConnectionIds.MaxOwnLength];
        return Convert.FromHexString(hex, id, out _, out var length) == OperationStatus.Done && length > 0;
    }

    /// <summary>Returns whether a peer is the identity of a client, and gets the ID of its session as a number.</summary>
    public static bool TryReadId(in PeerIdentity peer, out UInt128 number)
    {
        number = 0;
        if (peer.Name is not { } name) { return false; }
        var at = peer.IsIP ? 0 : name.IndexOf(Separator + Session, StringComparison.Ordinal) + 1;
        if (string.CompareOrdinal(name, at, Session, 0, Session.Length) != 0) { return false; }
        Span<byte> id = stackalloc byte[ConnectionIds.MaxOwnLength];
        if (Convert.FromHexString(name.AsSpan(at + Session.Length), id, out _, out var length) != OperationStatus.Done) { return false; }
        number = ConnectionIds.NumberOf(id[..length]);
        return true;
    }

    /// <summary>Returns the address of a server or a client.</summary>
    public static PeerIdentity AddressOf(in PeerIdentity peer) =>
        TryReadServer(peer, out var address, out _) || TryReadClient(peer, out address, out _) ? address : peer;

    private static PeerIdentity Of(in PeerIdentity address, string name) =>
        address.IsIP ? address.Named(name) : PeerIdentity.From($"{address}{Separator}{name}");

    private static bool TryRead(in PeerIdentity peer, string prefix, out PeerIdentity address, [NotNullWhen(true)] out string? rest)
    {
        (address, rest) = (default, null);
        if (peer.Name is not { } name) { return false; }
        if (peer.IsIP)
        {
            if (!name.StartsWith(prefix, StringComparison.Ordinal)) { return false; }
            (address, rest) = (peer.Named(null), name[prefix.Length..]);
            return true;
        }
        var at = name.IndexOf(Separator + prefix, StringComparison.Ordinal);
        if (at <= 0) { return false; }
        (address, rest) = (PeerIdentity.From(name[..at]), name[(at + 1 + prefix.Length)..]);
        return true;
    }
}
