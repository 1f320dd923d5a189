using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using CoAP.Transports;

namespace CoAP.Tests.Transports.Tls;

/// <summary>The names of a certificate in the error about a wrong name.</summary>
public sealed class TlsCertificateNamesTests
{
    [Fact]
    public void The_alternative_names_are_shown_because_they_are_compared()
    {
        using var certificate = Issue(names =>
        {
            names.AddDnsName("a.example");
            names.AddIpAddress(IPAddress.Loopback);
        });

        TlsCertificateNames.Describe(certificate).Should().Be("'a.example', '127.0.0.1'");
    }

    [Fact]
    public void Without_alternative_names_the_subject_is_shown()
    {
        using var certificate = Issue(null);

        TlsCertificateNames.Describe(certificate).Should().Be("'CN=device'");
    }

    [Fact]
    public void A_certificate_with_many_names_does_not_fill_the_log()
    {
        using var certificate = Issue(names =>
        {
            for (var i = 0; i < 500; i++) { names.AddDnsName($"n{i}.example"); }
        });

        TlsCertificateNames.Describe(certificate).Should().EndWith("'n7.example' and others");
    }

    private static X509Certificate2 Issue(Action<SubjectAlternativeNameBuilder>? addNames)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=device", key, HashAlgorithmName.SHA256);
        if (addNames is not null)
        {
            var names = new SubjectAlternativeNameBuilder();
            addNames(names);
            request.CertificateExtensions.Add(names.Build());
        }
        return request.CreateSelfSigned(DateTimeOffset.UnixEpoch, DateTimeOffset.UnixEpoch.AddYears(100));
    }
}
