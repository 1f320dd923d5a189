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
        using var certificate = Issue((X509Extension?)null);

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

    [Theory]
    [InlineData("")]            // no bytes
    [InlineData("30 05 82 01")] // a sequence that ends early
    [InlineData("04 02 61 62")] // an octet string instead of a sequence
    [InlineData("30 07 87 05 7F 00 00 01 00")]  // an address of 5 bytes
    [InlineData("30 04 82 02 FF FE")]           // a DNS name that is not ASCII
    public void Malformed_alternative_names_do_not_throw(string extension)
    {
        using var certificate = Issue(new X509Extension("2.5.29.17", Convert.FromHexString(extension.Replace(" ", "")), critical: false));

        TlsCertificateNames.Describe(certificate).Should().Be("names that cannot be read");
    }

    private static X509Certificate2 Issue(Action<SubjectAlternativeNameBuilder>? addNames)
    {
        if (addNames is null) { return Issue((X509Extension?)null); }
        var names = new SubjectAlternativeNameBuilder();
        addNames(names);
        return Issue(names.Build());
    }

    private static X509Certificate2 Issue(X509Extension? names)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=device", key, HashAlgorithmName.SHA256);
        if (names is not null) { request.CertificateExtensions.Add(names); }
        return request.CreateSelfSigned(DateTimeOffset.UnixEpoch, DateTimeOffset.UnixEpoch.AddYears(100));
    }
}
