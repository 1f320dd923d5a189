using System.Security.Cryptography;

namespace CoAP.Dtls;

/// <summary>
/// The cookies with which clients prove that they receive at their address, before the server keeps anything for them (RFC 6347, section 4.2.1).
/// </summary>
/// <remarks>The period is part of the MAC, and cookies of the previous period stay valid. Safe for concurrent use.</remarks>
/// <param name="key">A random key, which several servers can share.</param>
/// <param name="lifetime">The length of a period in ticks. A cookie is valid for one to two periods.</param>
internal sealed class HelloCookies(byte[] key, long lifetime)
{
    /// <summary>The length of a cookie in bytes.</summary>
    public const int Length = 16;

    private const int MaxParameters = 2 + KeyBlock.RandomLength + 1 + 32;

    /// <summary>Writes the cookie of a hello.</summary>
    /// <param name="peer">The address of the client.</param>
    /// <param name="parameters">Version, random and session ID of the hello.</param>
    /// <param name="now">The time in ticks.</param>
    /// <param name="cookie">16 bytes.</param>
    public void Write(in PeerIdentity peer, ReadOnlySpan<byte> parameters, long now, Span<byte> cookie) => Compute(peer, parameters, PeriodOf(now), cookie);

    /// <summary>Returns whether a cookie was issued to this client for this hello and has not expired.</summary>
    public bool IsValid(in PeerIdentity peer, ReadOnlySpan<byte> parameters, long now, ReadOnlySpan<byte> cookie)
    {
        if (cookie.Length != Length) { return false; }
        Span<byte> expected = stackalloc byte[Length];
        Compute(peer, parameters, PeriodOf(now), expected);
        if (CryptographicOperations.FixedTimeEquals(expected, cookie)) { return true; }
        Compute(peer, parameters, PeriodOf(now) - 1, expected);
        return CryptographicOperations.FixedTimeEquals(expected, cookie);
    }

    private long PeriodOf(long now) => now / lifetime;

    private void Compute(in PeerIdentity peer, ReadOnlySpan<byte> parameters, long period, Span<byte> cookie)
    {
        Span<byte> input = stackalloc byte[sizeof(long) + PeerIdentity.BinaryLength + MaxParameters];
        BitConverter.TryWriteBytes(input, period);
        peer.Write(input[sizeof(long)..]);
        parameters.CopyTo(input[(sizeof(long) + PeerIdentity.BinaryLength)..]);
        Span<byte> hash = stackalloc byte[HMACSHA256.HashSizeInBytes];
        HMACSHA256.HashData(key, input[..(sizeof(long) + PeerIdentity.BinaryLength + parameters.Length)], hash);
        hash[..Length].CopyTo(cookie);
    }
}
