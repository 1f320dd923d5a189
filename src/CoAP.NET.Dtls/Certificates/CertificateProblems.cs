using System.Globalization;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using CoAP.Vocabulary;

namespace CoAP.Dtls;

/// <summary>Describes why a certificate is refused. What the peer has chosen is cleaned and cut.</summary>
internal static class CertificateProblems
{
    private const X509ChainStatusFlags Authority = X509ChainStatusFlags.UntrustedRoot | X509ChainStatusFlags.PartialChain;
    private const X509ChainStatusFlags Explained =
        Authority | X509ChainStatusFlags.NotTimeValid | X509ChainStatusFlags.NotValidForUsage | X509ChainStatusFlags.Revoked;

    /// <summary>Returns the subject of a certificate as text for logs and errors.</summary>
    public static string SubjectOf(X509Certificate2 certificate) => ForeignText.Clean(certificate.Subject);

    /// <summary>Returns why a chain is not trusted.</summary>
    /// <param name="chain">The chain, whose first certificate is that of the peer.</param>
    /// <param name="hasRoots">Whether TrustedRoots is set.</param>
    /// <param name="isServer">Whether the certificate must allow the authentication of a server, otherwise that of a client.</param>
    /// <param name="flags">All problems of the chain.</param>
    public static string OfChain(X509Chain chain, bool hasRoots, bool isServer, X509ChainStatusFlags flags)
    {
        var problems = new List<string>();
        if ((flags & X509ChainStatusFlags.Revoked) != 0) { problems.Add("it or its issuer is revoked"); }
        if ((flags & Authority) != 0) { problems.Add(OfIssuer(chain.ChainElements[^1].Certificate, hasRoots)); }
        if ((flags & X509ChainStatusFlags.NotTimeValid) != 0) { problems.AddRange(chain.ChainElements.Select(OfDates).OfType<string>()); }
        if ((flags & X509ChainStatusFlags.NotValidForUsage) != 0) { problems.Add(OfUse(chain, isServer)); }
        var others = chain.ChainStatus.Where(static one => (one.Status & Explained) == 0).Select(static one => one.StatusInformation.Trim());
        problems.AddRange(others.Where(static text => text.Length > 0).Distinct());
        return $"the certificate '{SubjectOf(chain.ChainElements[0].Certificate)}' is not trusted: {string.Join("; ", problems)}";
    }

    /// <summary>Returns why the certificate of a server does not fit the host of the request.</summary>
    public static string OfName(X509Certificate2 certificate, string host)
    {
        var names = string.Join(", ", ServerNames.NamesOf(certificate));
        return $"the certificate '{SubjectOf(certificate)}' is not valid for the name '{ForeignText.Clean(host)}', "
            + (names.Length > 0 ? $"only for {ForeignText.Clean(names)}" : "and has no name of a server");
    }

    private static string OfIssuer(X509Certificate2 last, bool hasRoots)
    {
        var place = hasRoots ? "among TrustedRoots" : "an authority that this system trusts (TrustedRoots is not set)";
        return last.SubjectName.RawData.AsSpan().SequenceEqual(last.IssuerName.RawData)
            ? $"'{SubjectOf(last)}' has signed itself and is not {place}"
            : $"its issuer '{ForeignText.Clean(last.Issuer)}' is not {place}";
    }

    private static string? OfDates(X509ChainElement element)
    {
        var (certificate, now) = (element.Certificate, DateTime.UtcNow);
        var (from, until) = (certificate.NotBefore.ToUniversalTime(), certificate.NotAfter.ToUniversalTime());
        var problem = now < from ? $"is not valid before {Text(from)}" : now > until ? $"expired on {Text(until)}" : null;
        return problem is null ? null : $"'{SubjectOf(certificate)}' {problem}, and the clock of this machine shows {Text(now)}";
    }

    private static string OfUse(X509Chain chain, bool isServer)
    {
        var uses = chain.ChainElements[0].Certificate.Extensions.OfType<X509EnhancedKeyUsageExtension>()
            .SelectMany(static extension => extension.EnhancedKeyUsages.Cast<Oid>()).Select(static use => use.FriendlyName ?? use.Value);
        var needed = isServer ? "server authentication (serverAuth)" : "client authentication (clientAuth)";
        return $"its extended key usage must allow {needed}, but is: {ForeignText.Clean(string.Join(", ", uses))}";
    }

    private static string Text(DateTime time) => time.ToString("u", CultureInfo.InvariantCulture);
}
