using System.Buffers.Binary;
using System.Net;
using System.Security.Cryptography;
using System.Text;

namespace CoAP;

/// <summary>The identity of the remote side of a channel: an address and port, or a name if the transport has no addresses.</summary>
/// <remarks>
/// The identity of a DTLS peer has an address as well as a name. It belongs to the session: it is the address at which the session began, and stays the
/// same when the peer moves. IPv4 addresses mapped into IPv6 equal the plain IPv4 address. Safe for concurrent use.
/// </remarks>
public readonly record struct PeerIdentity : ISeededKey
{
    /// <summary>The number of bytes that <see cref="Write"/> writes.</summary>
    internal const int BinaryLength = 7 + SHA256.HashSizeInBytes;

    private const ulong TranslatorPrefix = 0x0064_FF9B_0000_0000;

    private readonly ulong _high;
    private readonly ulong _low;
    private readonly uint _scope;
    private readonly ushort _port;
    private readonly Kind _kind;
    private readonly string? _name;

    private PeerIdentity(Kind kind, ulong high, ulong low, uint scope, ushort port, string? name) =>
        (_kind, _high, _low, _scope, _port, _name) = (kind, high, low, scope, port, name);

    private enum Kind : byte { None, Name, IPv4, IPv6 }

    /// <summary>Whether this is <see langword="default"/> and identifies no peer.</summary>
    public bool IsNone => _kind == Kind.None;

    /// <summary>Whether this is an IP address and port.</summary>
    public bool IsIP => _kind is Kind.IPv4 or Kind.IPv6;

    internal bool IsIPv4 => _kind == Kind.IPv4;

    /// <summary>Whether this is a multicast group or the IPv4 broadcast address instead of a single peer (RFC 7252, section 8).</summary>
    internal bool IsMulticast => _kind switch
    {
        Kind.IPv4 => _low >> 28 == 0xE || _low == uint.MaxValue,
        Kind.IPv6 => _high >> 56 == 0xFF,
        _ => false,
    };

    /// <summary>Whether this is a name and no address.</summary>
    internal bool IsName => _kind == Kind.Name;

    /// <summary>Whether this is a loopback address. A name is none, even "localhost": it has no address before it is resolved.</summary>
    internal bool IsLoopback => _kind switch
    {
        Kind.IPv4 => _low >> 24 == 127,
        Kind.IPv6 => _high == 0 && _low == 1,
        _ => false,
    };

    /// <summary>The UDP or TCP port, or 0 if there is none.</summary>
    public int Port => _port;

    /// <summary>The name; <see langword="null"/> if the identity is an address without one.</summary>
    internal string? Name => _name;

    internal uint ScopeId => _scope;

    /// <summary>Whether this is an IPv4 address, or one behind a translator, in the prefix 64:ff9b::/96 (RFC 6052, section 2.1).</summary>
    internal bool HasIPv4Address => IsIPv4 || (_kind == Kind.IPv6 && _high == TranslatorPrefix && _low >> 32 == 0);

    /// <summary>The IPv4 address, see <see cref="HasIPv4Address"/>.</summary>
    internal uint IPv4Address => (uint)_low;

    /// <summary>The upper 64 bits of an IPv6 address.</summary>
    internal ulong IPv6Network => _high;

    /// <summary>Returns the identity of a transport address.</summary>
    public static PeerIdentity From(IPEndPoint endPoint)
    {
        ArgumentNullException.ThrowIfNull(endPoint);
        Span<byte> bytes = stackalloc byte[16];
        endPoint.Address.TryWriteBytes(bytes, out var length);
        return length == 4
            ? FromIPv4(BinaryPrimitives.ReadUInt32BigEndian(bytes), (ushort)endPoint.Port)
            : FromIPv6(bytes, (uint)endPoint.Address.ScopeId, (ushort)endPoint.Port);
    }

    /// <summary>Returns the identity of a peer that is known by a name, such as an in-memory endpoint.</summary>
    public static PeerIdentity From(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        return new(Kind.Name, 0, 0, 0, 0, name);
    }

    /// <summary>Returns the identity of one of several peers that share a transport address, such as the streams of an HTTP/2 connection.</summary>
    /// <param name="endPoint">The shared address. Limits are charged to it.</param>
    /// <param name="name">A name that is unique at this address.</param>
    /// <exception cref="ArgumentException">The name is empty.</exception>
    public static PeerIdentity From(IPEndPoint endPoint, string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        var address = From(endPoint);
        return new(address._kind, address._high, address._low, address._scope, address._port, name);
    }

    /// <summary>Returns the same address with another name, or without one.</summary>
    internal PeerIdentity Named(string? name) => new(_kind, _high, _low, _scope, _port, name);

    internal static PeerIdentity FromIPv4(uint address, ushort port) => new(Kind.IPv4, 0, address, 0, port, null);

    /// <param name="address">16 bytes in network byte order.</param>
    /// <param name="scope">The zone of a link-local address; ignored for other addresses.</param>
    /// <param name="port">The port.</param>
    internal static PeerIdentity FromIPv6(ReadOnlySpan<byte> address, uint scope, ushort port)
    {
        var high = BinaryPrimitives.ReadUInt64BigEndian(address);
        var low = BinaryPrimitives.ReadUInt64BigEndian(address[8..]);
        if (high == 0 && low >> 32 == 0xFFFF) { return FromIPv4((uint)low, port); }
        var isLinkLocal = high >> 54 == 0xFE80 >> 6 || (high >> 56 == 0xFF && (high >> 48 & 15) is 1 or 2);
        return new(Kind.IPv6, high, low, isLinkLocal ? scope : 0, port, null);
    }

    /// <summary>Writes the 16 bytes of the address in network byte order, IPv4 in its mapped form.</summary>
    internal void WriteIPv6(Span<byte> destination)
    {
        BinaryPrimitives.WriteUInt64BigEndian(destination, _high);
        BinaryPrimitives.WriteUInt64BigEndian(destination[8..], _kind == Kind.IPv4 ? 0xFFFF_0000_0000UL | _low : _low);
    }

    /// <summary>Writes bytes that are different for different identities: kind, zone, port, and the address or a hash of the name.</summary>
    /// <param name="destination">At least <see cref="BinaryLength"/> bytes.</param>
    internal void Write(Span<byte> destination)
    {
        destination[..BinaryLength].Clear();
        destination[0] = (byte)_kind;
        BinaryPrimitives.WriteUInt16BigEndian(destination[1..], _port);
        BinaryPrimitives.WriteUInt32BigEndian(destination[3..], _scope);
        if (_name is not null) { SHA256.HashData(Encoding.UTF8.GetBytes(ToString()), destination[7..]); }
        else { WriteIPv6(destination[7..]); }
    }

    /// <summary>Returns the transport address, or <see langword="null"/> if the identity has none.</summary>
    public IPEndPoint? ToIPEndPoint()
    {
        if (!IsIP) { return null; }
        Span<byte> bytes = stackalloc byte[16];
        WriteIPv6(bytes);
        return new IPEndPoint(IsIPv4 ? new IPAddress(bytes[12..]) : new IPAddress(bytes, _scope), _port);
    }

    /// <inheritdoc/>
    public override int GetHashCode() => (int)(Hash(SeededHash.Key) >> 32);

    /// <summary>Returns a hash that a peer cannot predict without the key.</summary>
    internal ulong Hash(ulong key)
    {
        var name = _name is null ? 0UL : (uint)_name.GetHashCode(StringComparison.Ordinal);
        var mixed = ContentHash.Fold(_high ^ key, _low ^ (key >> 32 | key << 32) ^ name);
        // Fixed factors: under a key that makes a small factor, neighboring ports would stay next to each other. Two, so that every bit depends on every bit.
        var number = ContentHash.Fold(mixed ^ ((ulong)_scope << 24) ^ ((ulong)_port << 8) ^ (ulong)_kind, 0x9E37_79B9_7F4A_7C15);
        return ContentHash.Fold(number ^ key, 0xC2B2_AE3D_27D4_EB4F);
    }

    /// <summary>Returns the address and port, the name, or both.</summary>
    public override string ToString() => ToIPEndPoint() is not { } address ? _name ?? "none" : _name is null ? address.ToString() : $"{address}/{_name}";
}
