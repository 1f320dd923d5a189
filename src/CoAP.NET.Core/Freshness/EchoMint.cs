using System.Buffers.Binary;
using System.Security.Cryptography;
using CoAP.Options;

namespace CoAP.Freshness;

/// <summary>Makes Echo values and verifies them without keeping any: a time and a MAC over it and the peer (RFC 9175, appendix A, item 2).</summary>
/// <remarks>
/// <para>A value is the time in milliseconds (32 bits, counted from a random start so that it tells nobody how long the endpoint has been
/// running) and the first 64 bits of HMAC-SHA-256 over that time and the peer's address. Keys are random and used for one lifetime; a value
/// is known for at least one more and at most two, then its key is gone.</para>
/// <para>Safe for concurrent use: the lanes of an endpoint share one, because the next request of a peer may reach another lane.</para>
/// </remarks>
internal sealed class EchoMint
{
    /// <summary>The length of a value in bytes.</summary>
    public const int Length = TimeLength + MacLength;

    private const int TimeLength = sizeof(uint);
    private const int MacLength = 8;
    private const int KeyLength = 32;

    // A lane reads the clock once a turn: another one may be so far behind it.
    private const uint Skew = 1000;

    private readonly Lock _rotating = new();
    private readonly Action<Span<byte>> _draw;
    private readonly long _keyLifetime;
    private readonly uint _start;
    private Keys _keys;

    /// <param name="keyLifetime">How long a key makes values.</param>
    /// <param name="draw">Fills bytes with what nobody can guess.</param>
    public EchoMint(TimeSpan keyLifetime, Action<Span<byte>> draw)
    {
        (_keyLifetime, _draw) = ((long)keyLifetime.TotalMilliseconds, draw);
        _start = BinaryPrimitives.ReadUInt32LittleEndian(Draw(sizeof(uint)));
        _keys = new Keys(0, Draw(KeyLength), Draw(KeyLength));
    }

    private sealed record Keys(long Era, byte[] Current, byte[] Previous);

    /// <summary>A value that this peer can prove with that it has received it at this time or later.</summary>
    /// <param name="peer">Whom it is sent to.</param>
    /// <param name="now">In ticks, on one scale for the whole endpoint.</param>
    public Echo Mint(in PeerIdentity peer, long now)
    {
        var time = now / TimeSpan.TicksPerMillisecond;
        var era = time / _keyLifetime;
        var keys = KeysFor(era);
        var value = new byte[Length];
        BinaryPrimitives.WriteUInt32BigEndian(value, (uint)time + _start);
        Sign(era >= keys.Era ? keys.Current : keys.Previous, peer, value, value.AsSpan(TimeLength));
        return new Echo(value);
    }

    /// <summary>Whether the value was made here for this peer with a key that is still known.</summary>
    /// <param name="value">As it was received.</param>
    /// <param name="peer">Who sent it.</param>
    /// <param name="now">As above.</param>
    /// <param name="age">The ticks since it was made.</param>
    public bool TryVerify(ReadOnlySpan<byte> value, in PeerIdentity peer, long now, out long age)
    {
        age = long.MaxValue;
        if (value.Length != Length) { return false; }
        var time = now / TimeSpan.TicksPerMillisecond;
        long elapsed = (uint)time + _start - BinaryPrimitives.ReadUInt32BigEndian(value);
        if (elapsed > uint.MaxValue - Skew) { elapsed -= 1L << 32; }
        var keys = KeysFor(time / _keyLifetime);
        var era = (time - elapsed) / _keyLifetime;
        var key = era == keys.Era ? keys.Current : era == keys.Era - 1 ? keys.Previous : null;
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

    private Keys KeysFor(long era)
    {
        var keys = Volatile.Read(ref _keys);
        return keys.Era >= era ? keys : Rotate(era);
    }

    private Keys Rotate(long era)
    {
        lock (_rotating)
        {
            if (_keys.Era >= era) { return _keys; }
            // Nothing was made with the key of an era that was slept through.
            var previous = _keys.Era == era - 1 ? _keys.Current : Draw(KeyLength);
            var keys = new Keys(era, Draw(KeyLength), previous);
            Volatile.Write(ref _keys, keys);
            return keys;
        }
    }

    private byte[] Draw(int length)
    {
        var bytes = new byte[length];
        _draw(bytes);
        return bytes;
    }
}
