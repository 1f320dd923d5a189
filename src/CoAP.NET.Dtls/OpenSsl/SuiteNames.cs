using System.Security.Cryptography;

namespace CoAP.Dtls.OpenSsl;

/// <summary>The cipher suites as OpenSSL names them.</summary>
internal static class SuiteNames
{
    /// <summary>
    /// The suffix of each list of suites. Since version 3.2, OpenSSL offers CCM_8 only at this level. <see cref="SignatureAlgorithms"/> and
    /// <see cref="CertificateCheck"/> replace the other checks of the level.
    /// </summary>
    public const string AnyStrength = ":@SECLEVEL=0";

    /// <summary>The signature algorithms of the handshake, without those that use SHA-1.</summary>
    /// <remarks>A zero follows the bytes.</remarks>
    public static ReadOnlySpan<byte> SignatureAlgorithms =>
        "ECDSA+SHA256:ECDSA+SHA384:ECDSA+SHA512:ed25519:rsa_pss_pss_sha256:RSA-PSS+SHA256:RSA-PSS+SHA384:RSA-PSS+SHA512:RSA+SHA256:RSA+SHA384:RSA+SHA512"u8;

    /// <summary>Returns the list of suites with pre-shared keys.</summary>
    /// <exception cref="CryptographicException">There is none.</exception>
    public static string OfKeys(IEnumerable<CipherSuite> suites) =>
        Join(suites.Where(static suite => suite.KeyExchange != KeyExchange.Certificate), "pre-shared keys");

    /// <summary>Returns the list of suites with certificates or raw public keys.</summary>
    /// <exception cref="CryptographicException">There is none.</exception>
    public static string OfCertificates(IEnumerable<CipherSuite> suites) =>
        Join(suites.Where(static suite => suite.KeyExchange == KeyExchange.Certificate), "certificates");

    private static string Join(IEnumerable<CipherSuite> suites, string keys)
    {
        var names = string.Join(':', suites.Select(static suite => NameOf(suite.Name)));
        return names.Length > 0 ? names : throw new CryptographicException($"None of the configured cipher suites works with {keys}.");
    }

    // TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 is ECDHE-ECDSA-AES128-GCM-SHA256; after CCM and POLY1305, OpenSSL names no hash.
    private static string NameOf(string name)
    {
        var text = name["TLS_".Length..].Replace("_WITH_", "_", StringComparison.Ordinal).Replace("AES_", "AES", StringComparison.Ordinal)
            .Replace("CCM_8", "CCM8", StringComparison.Ordinal).Replace('_', '-');
        return text.Contains("POLY1305", StringComparison.Ordinal) ? text[..text.LastIndexOf('-')] : text;
    }
}
