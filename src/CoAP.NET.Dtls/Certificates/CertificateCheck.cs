using System.Net.Security;
using System.Security.Cryptography.X509Certificates;

namespace CoAP.Dtls;

/// <summary>Checks the certificate of a peer: its chain, its dates, and for a server its name (RFC 7252, section 9.1.3.3).</summary>
/// <param name="trustedRoots">The roots to trust; <see langword="null"/> for those of the system.</param>
/// <param name="name">The name that a server must have; <see langword="null"/> for a client.</param>
/// <param name="revocation">Whether revocation is checked.</param>
/// <param name="validate">Gets the result of this check and makes the decision; <see langword="null"/> if this check decides.</param>
internal sealed class CertificateCheck(
    X509Certificate2Collection? trustedRoots, string? name = null, X509RevocationMode revocation = X509RevocationMode.NoCheck,
    RemoteCertificateValidationCallback? validate = null)
{
    // A download blocks a worker.
    private static readonly TimeSpan DownloadTimeout = TimeSpan.FromSeconds(5);

    private const string ServerUse = "1.3.6.1.5.5.7.3.1", ClientUse = "1.3.6.1.5.5.7.3.2";
    private const int ShortestRsa = 2048;
    private const X509ChainStatusFlags Dates = X509ChainStatusFlags.NotTimeValid;

    /// <summary>The port of the server, which a URI in its certificate may have; 0 if there is none.</summary>
    public int Port { get; init; }

    /// <summary>Checks a certificate.</summary>
    /// <param name="certificate">The certificate of the peer.</param>
    /// <param name="others">The other certificates that the peer has sent.</param>
    /// <param name="problem">A description of the problem; empty if there is none.</param>
    /// <exception cref="CallbackException">The check of the user has thrown an exception.</exception>
    public CertificateVerdict Check(X509Certificate2 certificate, X509Certificate2Collection others, out string problem)
    {
        using var chain = new X509Chain();
        var policy = chain.ChainPolicy;
        policy.RevocationMode = revocation;
        // A server must not fetch what a stranger names. A client chooses its servers.
        policy.DisableCertificateDownloads = name is null;
        policy.UrlRetrievalTimeout = DownloadTimeout;
        policy.ExtraStore.AddRange(others);
        policy.ApplicationPolicy.Add(new(name is null ? ClientUse : ServerUse));
        if (trustedRoots is not null)
        {
            policy.TrustMode = X509ChainTrustMode.CustomRootTrust;
            policy.CustomTrustStore.AddRange(trustedRoots);
        }
        var isTrusted = chain.Build(certificate);
        try
        {
            // The name in an untrusted certificate proves nothing, so the chain comes first.
            var hasName = name is null || ServerNames.Match(certificate, name, Port);
            problem = hasName ? "" : CertificateProblems.OfName(certificate, name!);
            var weakness = chain.ChainElements.Select(static element => WeaknessOf(element.Certificate)).FirstOrDefault(static one => one is not null);
            var verdict = !isTrusted ? Explain(chain, out problem)
                : weakness is not null ? CertificateVerdict.Refused
                : hasName ? CertificateVerdict.Trusted : CertificateVerdict.WrongName;
            if (verdict == CertificateVerdict.Refused && isTrusted) { problem = weakness!; }
            return validate is null ? verdict : Ask(validate, certificate, chain, verdict, hasName, ref problem);
        }
        finally
        {
            foreach (var element in chain.ChainElements) { element.Certificate.Dispose(); }
        }
    }

    // Who can compute the key of an authority can issue certificates, so a trusted root is no exception.
    private static string? WeaknessOf(X509Certificate2 certificate)
    {
        using var rsa = certificate.GetRSAPublicKey();
        return rsa is null || rsa.KeySize >= ShortestRsa
            ? null : $"the certificate '{CertificateProblems.SubjectOf(certificate)}' has an RSA key of {rsa.KeySize} bits; at least {ShortestRsa} are required";
    }

    private CertificateVerdict Ask(
        RemoteCertificateValidationCallback validate, X509Certificate2 certificate, X509Chain chain, CertificateVerdict verdict, bool hasName, ref string problem)
    {
        var errors = (verdict is CertificateVerdict.Trusted or CertificateVerdict.WrongName ? SslPolicyErrors.None : SslPolicyErrors.RemoteCertificateChainErrors)
            | (hasName ? SslPolicyErrors.None : SslPolicyErrors.RemoteCertificateNameMismatch);
        var setting = name is null ? "ValidateClient" : "ValidateServer";
        if (CallbackException.Call(setting, TlsFailure.Certificate, () => validate(name ?? "", certificate, chain, errors))) { return CertificateVerdict.Trusted; }
        if (problem.Length == 0) { problem = $"{setting} has refused the certificate '{CertificateProblems.SubjectOf(certificate)}'"; }
        return verdict == CertificateVerdict.Trusted ? CertificateVerdict.Refused : verdict;
    }

    private CertificateVerdict Explain(X509Chain chain, out string problem)
    {
        var flags = chain.ChainStatus.Aggregate(X509ChainStatusFlags.NoError, static (all, one) => all | one.Status);
        problem = CertificateProblems.OfChain(chain, trustedRoots is not null, isServer: name is not null, flags);
        return (flags & X509ChainStatusFlags.Revoked) != 0 ? CertificateVerdict.Revoked
            : (flags & (X509ChainStatusFlags.UntrustedRoot | X509ChainStatusFlags.PartialChain)) != 0 ? CertificateVerdict.UnknownAuthority
            : (flags & Dates) != 0 ? CertificateVerdict.Expired
            : CertificateVerdict.Refused;
    }
}
