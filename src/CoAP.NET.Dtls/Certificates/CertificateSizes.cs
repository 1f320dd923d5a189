using System.Security.Cryptography.X509Certificates;

namespace CoAP.Dtls;

/// <summary>Limits what the check of a chain of certificates may cost. Nothing has proven yet who has sent them.</summary>
internal static class CertificateSizes
{
    /// <summary>The most certificates of a peer.</summary>
    public const int MaxCertificates = 8;

    /// <summary>The longest RSA key in bits. The time of its operations grows with the square.</summary>
    public const int MaxRsa = 8192;

    /// <summary>Returns why certificates are refused before their chain is checked; <see langword="null"/> if they are not.</summary>
    /// <param name="certificate">The certificate of the peer.</param>
    /// <param name="others">All that the peer has sent.</param>
    /// <param name="maxCertificate">The largest certificate of a peer in bytes.</param>
    public static string? ProblemOf(X509Certificate2 certificate, X509Certificate2Collection others, int maxCertificate)
    {
        if (certificate.RawDataMemory.Length is var length && length > maxCertificate)
        {
            return $"the certificate of the peer has {length} bytes; at most {maxCertificate} are accepted";
        }
        if (others.Count > MaxCertificates) { return $"the peer has sent {others.Count} certificates; at most {MaxCertificates} are accepted"; }
        foreach (var one in others.Append(certificate))
        {
            using var rsa = one.GetRSAPublicKey();
            if (rsa?.KeySize > MaxRsa) { return $"a certificate of the peer has an RSA key of {rsa.KeySize} bits; at most {MaxRsa} are accepted"; }
        }
        return null;
    }
}
