using System.Buffers.Binary;
using System.Security.Cryptography;
using CoAP.Options;

namespace CoAP.Freshness;

/// <summary>Issues Echo values and verifies them without storing them: a time and a MAC over time and peer (RFC 9175, appendix A, item 2).</summary>
/// <remarks>
/// <para>A value is a time in milliseconds and the first 64 bits of HMAC-SHA-256 over this time and the address of the peer. The time has 32 bits
/// and counts from a random start, so that it does not reveal how long the endpoint has been running.</para>
/// <para>Safe for concurrent use. The lanes of an endpoint share an issuer, because the next request of a peer may arrive on another lane.</para>
/// </remarks>
/// <param name="keyLifetime">The time for which a key issues values.</param>
/// <param name="draw">Fills a buffer with random bytes.</param>
internal sealed class EchoIssuer(TimeSpan keyLifetime, Action<Span<byte>> draw)
{
    /// <summary>The length of a value in bytes.</summary>
    public const int Length = TimeLength + MacLength;

    private const int TimeLength = sizeof(uint);
    private const int MacLength = 8;

    // A lane reads the clock once per turn, so the clocks of two lanes may differ by this many milliseconds.
    private const uint Skew = 1000;

    private readonly long _keyLifetime = (long)keyLifetime.TotalMilliseconds;
    private readonly uint _start = BinaryPrimitives.ReadUInt32LittleEndian(EchoKeys.Draw(draw, sizeof(uint)));
    private readonly EchoKeys _keys = new(draw);

    /// <summary>Issues a value. A peer that returns it has received it at this time or later.</summary>
    /// <param name="peer">The peer that the value is sent to.</param>
    /// <param name="now">The time in ticks, from the same clock for the whole endpoint.</param>
    public Echo Issue(in PeerIdentity peer, long now)
    {
        var time = now / TimeSpan.TicksPerMillisecond;
        var value = new byte[Length];
        BinaryPrimitives.WriteUInt32BigEndian(value, (uint)time + _start);
        Sign(_keys.ToSign(time / _keyLifetime), peer, value, value.AsSpan(TimeLength));
        return new Echo(value);
    }

    /// <summary>Verifies that the value was issued here for this peer, with a key that still exists.</summary>
    /// <param name="value">The received value.</param>
    /// <param name="peer">The peer that sent it.</param>
    /// <param name="now">The time in ticks.</param>
    /// <param name="age">The ticks since the value was issued.</param>
    public bool TryVerify(ReadOnlySpan<byte> value, in PeerIdentity peer, long now, out long age)
    {
        age = long.MaxValue;
        if (value.Length != Length) { return false; }
        var time = now / TimeSpan.TicksPerMillisecond;
        long elapsed = (uint)time + _start - BinaryPrimitives.ReadUInt32BigEndian(value);
        if (elapsed > uint.MaxValue - Skew) { elapsed -= 1L << 32; }
        var key = _keys.ToVerify((time - elapsed) / _keyLifetime, time / _keyLifetime);
        if (key is null) { return false; }
        Span<byte> expected = stackalloc byte[MacLength];
        Sign(key, peer, value, expected);
        if (!CryptographicOperations.FixedTimeEquals(expected, value[TimeLength..])) { return false; }
        age = Math.Max(0, elapsed) * TimeSpan.TicksPerMillisecond;
        return true;
    }

    private static void Sign(byte[] key, in PeerIdentity peer, ReadOnlySpan<byte> value, Span<byte> mac)
    {
        Span<byte> text = stackalloc byte[TimeLength + PeerIdentity.BinaryLength];
        value[..TimeLength].CopyTo(text);
        peer.Write(text[TimeLength..]);
        Span<byte> whole = stackalloc byte[HMACSHA256.HashSizeInBytes];
        HMACSHA256.HashData(key, text, whole);
        whole[..MacLength].CopyTo(mac);
    }
}
