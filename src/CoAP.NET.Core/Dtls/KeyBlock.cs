using System.Security.Cryptography;

namespace CoAP.Dtls;

/// <summary>Derives the keys of a session from its master secret (RFC 5246, sections 5 and 6.3).</summary>
internal static class KeyBlock
{
    /// <summary>The length of a master secret in bytes.</summary>
    public const int MasterSecretLength = 48;

    /// <summary>The length of the random bytes of a hello.</summary>
    public const int RandomLength = 32;

    private const int MostHash = SHA384.HashSizeInBytes;

    /// <summary>Returns the keys of both directions.</summary>
    public static SessionKeys Derive(
        CipherSuite suite, ReadOnlySpan<byte> masterSecret, ReadOnlySpan<byte> clientRandom, ReadOnlySpan<byte> serverRandom)
    {
        var block = new byte[SessionKeys.LengthOf(suite)];
        Expand(suite.UsesSha384, masterSecret, "key expansion"u8, [.. serverRandom, .. clientRandom], block);
        return new SessionKeys(suite, block);
    }

    /// <summary>The pseudorandom function of TLS 1.2 (RFC 5246, section 5).</summary>
    public static void Expand(bool usesSha384, ReadOnlySpan<byte> secret, ReadOnlySpan<byte> label, ReadOnlySpan<byte> seed, Span<byte> output)
    {
        var hash = usesSha384 ? HashAlgorithmName.SHA384 : HashAlgorithmName.SHA256;
        byte[] labeled = [.. label, .. seed];
        using var hmac = IncrementalHash.CreateHMAC(hash, secret);
        Span<byte> a = stackalloc byte[MostHash];
        a = a[..hmac.HashLengthInBytes];
        Span<byte> part = stackalloc byte[a.Length];
        hmac.AppendData(labeled);
        hmac.GetHashAndReset(a);
        for (var at = 0; at < output.Length; at += a.Length)
        {
            hmac.AppendData(a);
            hmac.AppendData(labeled);
            hmac.GetHashAndReset(part);
            part[..Math.Min(part.Length, output.Length - at)].CopyTo(output[at..]);
            hmac.AppendData(a);
            hmac.GetHashAndReset(a);
        }
        CryptographicOperations.ZeroMemory(part);
    }
}
