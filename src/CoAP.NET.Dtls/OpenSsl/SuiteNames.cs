using System.Security.Cryptography;

namespace CoAP.Dtls.OpenSsl;

/// <summary>The cipher suites as OpenSSL names them.</summary>
internal static class SuiteNames
{
    // OpenSSL from 3.2 on has CCM_8 only at this level. It concerns the strength of certificates, which plain keys do not have.
    private const string AnyStrength = ":@SECLEVEL=0";

    /// <summary>Returns the list of suites with pre-shared keys.</summary>
    /// <exception cref="CryptographicException">There is none.</exception>
    public static string OfKeys(IEnumerable<CipherSuite> suites) =>
        Join(suites.Where(static suite => suite.KeyExchange != KeyExchange.Certificate), "pre-shared keys") + AnyStrength;

    /// <summary>Returns the list of suites with certificates.</summary>
    /// <exception cref="CryptographicException">There is none.</exception>
    public static string OfCertificates(IEnumerable<CipherSuite> suites) =>
        Join(suites.Where(static suite => suite.KeyExchange == KeyExchange.Certificate), "certificates");

    private static string Join(IEnumerable<CipherSuite> suites, string keys)
    {
        var names = string.Join(':', suites.Select(static suite => NameOf(suite.Name)));
        return names.Length > 0 ? names : throw new CryptographicException($"None of the cipher suites of the settings works with {keys}.");
    }

    // TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 is ECDHE-ECDSA-AES128-GCM-SHA256; after CCM and POLY1305, OpenSSL names no hash.
    private static string NameOf(string name)
    {
        var text = name["TLS_".Length..].Replace("_WITH_", "_", StringComparison.Ordinal).Replace("AES_", "AES", StringComparison.Ordinal)
            .Replace("CCM_8", "CCM8", StringComparison.Ordinal).Replace('_', '-');
        return text.Contains("POLY1305", StringComparison.Ordinal) ? text[..text.LastIndexOf('-')] : text;
    }
}
