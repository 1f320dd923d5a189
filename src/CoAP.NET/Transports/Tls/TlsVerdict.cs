using System.Net.Security;
using System.Security.Cryptography.X509Certificates;

namespace CoAP.Transports;

/// <summary>Judges the certificate of the other side and remembers what was wrong with it: the runtime's own error does not say.</summary>
internal sealed class TlsVerdict(RemoteCertificateValidationCallback? own, bool isRequired)
{
    private string? _problem;

    /// <summary>Whether a certificate was judged, good or bad.</summary>
    public bool WasAsked { get; private set; }

    /// <summary>Which part of the handshake failed.</summary>
    public TlsFailure Failure { get; private set; } = TlsFailure.Protocol;

    /// <summary>What was wrong, for people.</summary>
    public string Describe(string otherwise) => _problem ?? otherwise.TrimEnd('.');

    public bool Judge(object sender, X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors)
    {
        WasAsked = true;
        if (certificate is null && !isRequired) { return true; }
        var isGood = own is not null && certificate is not null ? own(sender, certificate, chain, errors) : errors == SslPolicyErrors.None;
        if (isGood) { return true; }
        (Failure, _problem) = Explain(certificate, chain, errors, (sender as SslStream)?.TargetHostName);
        return false;
    }

    private static (TlsFailure Failure, string Problem) Explain(X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors, string? wanted)
    {
        if (certificate is null) { return (TlsFailure.Certificate, "it presented no certificate"); }
        var statuses = chain is null ? [] : chain.ChainStatus.Select(status => status.StatusInformation.Trim()).Where(text => text.Length > 0).Distinct();
        // A certificate that nobody trusts says nothing about names either.
        if ((errors & SslPolicyErrors.RemoteCertificateChainErrors) != 0)
        {
            return (TlsFailure.Certificate, $"its certificate '{certificate.Subject}' is not trusted: {string.Join("; ", statuses)}");
        }
        return (errors & SslPolicyErrors.RemoteCertificateNameMismatch) != 0
            ? (TlsFailure.Name, $"its certificate is for '{certificate.Subject}', not for '{wanted}'")
            : (TlsFailure.Certificate, $"its certificate '{certificate.Subject}' was refused");
    }
}
