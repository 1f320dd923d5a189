using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using CoAP.Vocabulary;

namespace CoAP.Transports;

/// <summary>The names in a certificate, for error messages.</summary>
internal static class TlsCertificateNames
{
    // A certificate of a peer can have any number of names.
    private const int MostShown = 8;

    /// <summary>Returns the names that are compared with the name of the host. Without alternative names, this is the subject.</summary>
    /// <remarks>Throws nothing, because the certificate comes from the peer and can be malformed.</remarks>
    public static string Describe(X509Certificate certificate)
    {
        try { return DescribeNames(certificate); }
        catch (CryptographicException)
        {
            return "names that cannot be read";
        }
    }

    private static string DescribeNames(X509Certificate certificate)
    {
        string[] names = [.. NamesOf(certificate).Take(MostShown + 1).Select(static name => $"'{ForeignText.Clean(name)}'")];
        return names.Length switch
        {
            0 => $"'{ForeignText.Clean(certificate.Subject)}'",
            > MostShown => $"{string.Join(", ", names[..MostShown])} and others",
            _ => string.Join(", ", names),
        };
    }

    private static IEnumerable<string> NamesOf(X509Certificate certificate) =>
        (certificate as X509Certificate2)?.Extensions.OfType<X509SubjectAlternativeNameExtension>().FirstOrDefault() is { } alternatives
            ? alternatives.EnumerateDnsNames().Concat(alternatives.EnumerateIPAddresses().Select(static address => address.ToString()))
            : [];
}
