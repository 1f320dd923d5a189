using System.Net.Security;
using System.Security.Cryptography.X509Certificates;

namespace CoAP.Transports;

/// <summary>Validates the certificate of the peer and keeps the problem, because the exception of .NET does not contain it.</summary>
/// <param name="custom">The validation of the user. <see langword="null"/> for the default.</param>
/// <param name="isRequired">Whether a certificate is required.</param>
internal sealed class TlsCertificateCheck(RemoteCertificateValidationCallback? custom, bool isRequired)
{
    private string? _problem;

    /// <summary>Whether the validation was called.</summary>
    public bool WasCalled { get; private set; }

    /// <summary>The part of the handshake that failed.</summary>
    public TlsFailure Failure { get; private set; } = TlsFailure.Protocol;

    /// <summary>Returns a text that describes the problem.</summary>
    /// <param name="otherwise">The text if the certificate was not the problem.</param>
    public string Describe(string otherwise) => _problem ?? otherwise.TrimEnd('.');

    /// <summary>Validates the certificate, as a callback of <see cref="SslStream"/>.</summary>
    public bool Validate(object sender, X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors)
    {
        WasCalled = true;
        if (certificate is null && !isRequired) { return true; }
        var isGood = custom is not null && certificate is not null ? custom(sender, certificate, chain, errors) : errors == SslPolicyErrors.None;
        if (isGood) { return true; }
        (Failure, _problem) = Explain(certificate, chain, errors, (sender as SslStream)?.TargetHostName);
        return false;
    }

    private static (TlsFailure Failure, string Problem) Explain(X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors, string? wanted)
    {
        if (certificate is null) { return (TlsFailure.Certificate, "the peer presented no certificate"); }
        var statuses = chain is null ? [] : chain.ChainStatus.Select(status => status.StatusInformation.Trim()).Where(text => text.Length > 0).Distinct();
        // The name in an untrusted certificate proves nothing, so the chain comes first.
        if ((errors & SslPolicyErrors.RemoteCertificateChainErrors) != 0)
        {
            return (TlsFailure.Certificate, $"the certificate '{certificate.Subject}' is not trusted: {string.Join("; ", statuses)}");
        }
        return (errors & SslPolicyErrors.RemoteCertificateNameMismatch) != 0
            ? (TlsFailure.Name, $"the certificate is for {TlsCertificateNames.Describe(certificate)}, not for '{wanted}'")
            : (TlsFailure.Certificate, $"the certificate '{certificate.Subject}' was refused");
    }
}
