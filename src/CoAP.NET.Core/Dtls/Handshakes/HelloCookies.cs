using System.Buffers.Binary;
using System.Security.Cryptography;

namespace CoAP.Dtls;

/// <summary>
/// The cookies with which clients prove that they receive at their address, before the server keeps anything for them (RFC 6347, section 4.2.1).
/// </summary>
/// <remarks>
/// A cookie begins with a tag: a hash of the address that takes a few nanoseconds, so that a flood of invented cookies costs no more than one without cookies.
/// A MAC follows, and its last bit tells the period, so that each cookie needs one MAC. Cookies of the previous period stay valid. Safe for concurrent use.
/// </remarks>
internal sealed class HelloCookies
{
    /// <summary>The length of a cookie in bytes.</summary>
    public const int Length = TagLength + MacLength;

    private const int TagLength = sizeof(ushort), MacLength = 14;
    private const int MaxParameters = 2 + KeyBlock.RandomLength + 1 + 32;

    private readonly byte[] _key;
    private readonly ulong _tagKey;
    private readonly long _lifetime;

    /// <param name="key">A random key, which several servers can share.</param>
    /// <param name="lifetime">The length of a period in ticks. A cookie is valid for one to two periods.</param>
    public HelloCookies(byte[] key, long lifetime)
    {
        (_key, _lifetime) = (key, lifetime);
        _tagKey = BinaryPrimitives.ReadUInt64LittleEndian(HMACSHA256.HashData(key, "tag"u8));
    }

    /// <summary>Writes the cookie of a hello.</summary>
    /// <param name="peer">The address of the client.</param>
    /// <param name="parameters">Version, random and session ID of the hello.</param>
    /// <param name="now">The time in ticks.</param>
    /// <param name="cookie">16 bytes.</param>
    public void Write(in PeerIdentity peer, ReadOnlySpan<byte> parameters, long now, Span<byte> cookie)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(cookie, TagOf(peer));
        Compute(peer, parameters, now / _lifetime, cookie[TagLength..]);
    }

    /// <summary>Returns whether the address of a cookie may be the one that it was issued to. Somebody who has received no cookie there rarely finds one.</summary>
    public bool IsLikely(in PeerIdentity peer, ReadOnlySpan<byte> cookie) =>
        cookie.Length == Length && BinaryPrimitives.ReadUInt16LittleEndian(cookie) == TagOf(peer);

    /// <summary>Returns whether a cookie was issued to this client for this hello and has not expired.</summary>
    public bool IsValid(in PeerIdentity peer, ReadOnlySpan<byte> parameters, long now, ReadOnlySpan<byte> cookie)
    {
        if (!IsLikely(peer, cookie)) { return false; }
        var period = now / _lifetime;
        if (BitOf(period) != (cookie[^1] & 1)) { period--; }
        Span<byte> expected = stackalloc byte[MacLength];
        Compute(peer, parameters, period, expected);
        return CryptographicOperations.FixedTimeEquals(expected, cookie[TagLength..]);
    }

    private ushort TagOf(in PeerIdentity peer) => (ushort)(peer.Hash(_tagKey) >> 48);

    private static int BitOf(long period) => (int)(period & 1);

    private void Compute(in PeerIdentity peer, ReadOnlySpan<byte> parameters, long period, Span<byte> mac)
    {
        Span<byte> input = stackalloc byte[sizeof(long) + PeerIdentity.BinaryLength + MaxParameters];
        BinaryPrimitives.WriteInt64LittleEndian(input, period);
        peer.Write(input[sizeof(long)..]);
        parameters.CopyTo(input[(sizeof(long) + PeerIdentity.BinaryLength)..]);
        Span<byte> hash = stackalloc byte[HMACSHA256.HashSizeInBytes];
        HMACSHA256.HashData(_key, input[..(sizeof(long) + PeerIdentity.BinaryLength + parameters.Length)], hash);
        hash[..MacLength].CopyTo(mac);
        mac[^1] = (byte)((mac[^1] & ~1) | BitOf(period));
    }
}
