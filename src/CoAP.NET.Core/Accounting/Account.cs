using System.Buffers.Binary;
using System.Net;
using System.Numerics;

namespace CoAP;

/// <summary>The owner of the resources that an endpoint uses for a peer, such as requests, connections and memory.</summary>
/// <remarks>
/// <para>An account holds at most as much of a resource as is still free. A single account therefore gets at most half of each limit, and n accounts get
/// at most 1/(n + 1) each. Something always stays free for the next account.</para>
/// <para>The account of an IPv4 address is the address itself. The account of an IPv6 address is its /64 prefix, because the holder of one address usually
/// has the whole prefix. The endpoint also charges the /56 around it, which may hold twice as much as is still free, and the /48, which may hold four
/// times as much. Ports make no difference. Neither do the zones of link-local addresses, which therefore have one account together.</para>
/// <para>An IPv4 address behind a translator, in the prefix 64:ff9b::/96, counts as the IPv4 address (RFC 6052, section 2.1).</para>
/// </remarks>
public readonly record struct Account : ISeededKey
{
    private const int Network = 64;
    private const int Home = 56;
    private const int Site = 48;
    private const string LocalSocket = "unix:";

    private readonly Kind _kind;
    private readonly byte _prefix;
    private readonly ulong _bits;
    private readonly string? _name;

    private Account(Kind kind, byte prefix, ulong bits, string? name) => (_kind, _prefix, _bits, _name) = (kind, prefix, bits, name);

    private enum Kind : byte { Unverified, Name, IPv4, IPv6 }

    /// <summary>The account that all unverified addresses share, because they may be forged. It holds at most a fixed fraction of each limit.</summary>
    public static Account Unverified => default;

    /// <summary>Whether this is <see cref="Unverified"/>.</summary>
    public bool IsUnverified => _kind == Kind.Unverified;

    /// <summary>Returns the account with this name, for example the name of a customer.</summary>
    /// <exception cref="ArgumentException">The name is empty.</exception>
    public static Account Of(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        return new(Kind.Name, 0, 0, name);
    }

    /// <summary>
    /// Returns the account of a peer's address, or of its name if it has no address. All peers on local sockets have one account together, because
    /// one local user can open any number of connections.
    /// </summary>
    /// <exception cref="ArgumentException">The identity is <see langword="default"/>.</exception>
    public static Account Of(in PeerIdentity peer)
    {
        ThrowIfNone(peer);
        if (peer.HasIPv4Address) { return new(Kind.IPv4, 0, peer.IPv4Address, null); }
        if (peer.IsIP) { return new(Kind.IPv6, Network, peer.IPv6Network, null); }
        var name = peer.ToString();
        return Of(name.StartsWith(LocalSocket, StringComparison.Ordinal) ? LocalSocket : name);
    }

    /// <summary>Returns the network of a peer: the /24 of an IPv4 address, and otherwise the account.</summary>
    internal static Account NetworkOf(in PeerIdentity peer) =>
        peer.HasIPv4Address ? new(Kind.IPv4, 24, peer.IPv4Address >> 8 << 8, null) : Of(peer);

    /// <summary>Throws if an identity is <see langword="default"/>.</summary>
    internal static void ThrowIfNone(in PeerIdentity peer)
    {
        if (peer.IsNone) { throw new ArgumentException("The identity is default; a peer has an address or a name.", nameof(peer)); }
    }

    /// <summary>The factor of the account: it may hold this many times the amount that is still free.</summary>
    internal int Shares => _prefix switch { Home => 2, Site => 4, _ => 1 };

    /// <summary>A number for the address, or for the name in this process. Two accounts rarely have the same.</summary>
    internal ulong Number => _name is null ? _bits : (uint)_name.GetHashCode(StringComparison.Ordinal);

    /// <summary>Gets the account of the next wider prefix, which is charged as well. Returns <see langword="false"/> if there is none.</summary>
    internal bool TryWiden(out Account wider)
    {
        var prefix = _prefix switch { Network => Home, Home => Site, _ => 0 };
        wider = prefix == 0 ? default : Within(prefix);
        return prefix > 0;
    }

    /// <summary>The widest prefix that is charged for the account: the /48 of an IPv6 address, and otherwise the account itself.</summary>
    internal Account Widest => _kind == Kind.IPv6 ? Within(Site) : this;

    /// <summary>Returns a hash that a peer cannot predict without the key.</summary>
    internal ulong Hash(ulong key)
    {
        var mixed = ContentHash.Fold(Number ^ key, ((ulong)_prefix << 8) ^ (ulong)_kind ^ BitOperations.RotateLeft(key, 32));
        // Under a key that makes a small factor, neighboring addresses would stay next to each other, so a fixed factor follows.
        return ContentHash.Fold(mixed ^ key, 0x9E37_79B9_7F4A_7C15);
    }

    /// <inheritdoc/>
    public override int GetHashCode() => SeededHash.Of(Number, ((ulong)_prefix << 8) | (ulong)_kind);

    /// <summary>Returns the name, the address, or the prefix.</summary>
    public override string ToString() => _kind switch
    {
        Kind.Name => _name!,
        Kind.IPv4 => new IPAddress(BinaryPrimitives.ReverseEndianness((uint)_bits)).ToString(),
        Kind.IPv6 => $"{ToAddress(_bits)}/{_prefix}",
        _ => "unverified addresses",
    };

    private Account Within(int prefix) => new(_kind, (byte)prefix, _bits >> (Network - prefix) << (Network - prefix), null);

    private static IPAddress ToAddress(ulong network)
    {
        Span<byte> bytes = stackalloc byte[16];
        bytes.Clear();
        BinaryPrimitives.WriteUInt64BigEndian(bytes, network);
        return new IPAddress(bytes);
    }
}
