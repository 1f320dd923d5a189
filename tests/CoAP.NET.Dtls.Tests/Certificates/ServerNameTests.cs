using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using CoAP.Dtls;

namespace CoAP.Tests.Dtls.Certificates;

/// <summary>For which servers a certificate is (RFC 7252, section 9.1.3.3).</summary>
public sealed class ServerNameTests : IDisposable
{
    private readonly TestAuthority _authority = new();

    public void Dispose() => _authority.Dispose();

    [Theory, Trait("RFC", "7252 9.1.3.3")]
    [InlineData("coaps://server.example", "server.example", true), InlineData("coaps://SERVER.example/", "server.example", true)]
    [InlineData("coap://server.example", "server.example", false), InlineData("coap://server.example:5684", "server.example", true), InlineData("coaps://server.example:5684", "server.example", true)]
    [InlineData("coaps://server.example:9", "server.example", false), InlineData("coaps://other.example", "server.example", false)]
    [InlineData("https://server.example", "server.example", false)]
    [InlineData("coaps://127.0.0.1", "127.0.0.1", true), InlineData("coaps://[::1]", "::1", true), InlineData("coaps://[::1]:5684", "[0::1]", true)]
    public void A_URI_in_SubjectAltName_names_the_server(string uri, string host, bool expected)
    {
        using var certificate = _authority.IssueServer("CommonName", names => names.AddUri(new Uri(uri)));

        Check(certificate, host).Should().Be(expected ? CertificateVerdict.Trusted : CertificateVerdict.WrongName);
    }

    [Theory, Trait("RFC", "7252 9.1.3.3"), Trait("RFC", "7252 6.2"), InlineData("coaps://server.example"), InlineData("coap://server.example")]
    public void A_URI_without_a_port_has_the_one_of_its_scheme(string uri)
    {
        using var certificate = _authority.IssueServer("CommonName", names => names.AddUri(new Uri(uri)));

        Check(certificate, "server.example", 26130).Should().Be(CertificateVerdict.WrongName);
        Check(certificate, "server.example", uri.StartsWith("coaps", StringComparison.Ordinal) ? 5684 : 5683).Should().Be(CertificateVerdict.Trusted);
    }

    [Fact, Trait("RFC", "7925 4.4.1"), Trait("RFC", "7252 9.1.3.3")]
    public void Wildcards_match_nothing()
    {
        using var named = _authority.IssueServer("*.example");
        using var common = _authority.IssueServer("*.example", alternatives: null);

        Check(named, "server.example").Should().Be(CertificateVerdict.WrongName);
        Check(common, "server.example").Should().Be(CertificateVerdict.WrongName);
    }

    [Theory, Trait("RFC", "7252 9.1.3.3"), InlineData(false, CertificateVerdict.Trusted), InlineData(true, CertificateVerdict.WrongName)]
    public void The_common_name_counts_only_without_SubjectAltName(bool hasAlternatives, object expected)
    {
        using var certificate = _authority.IssueServer("server.example", hasAlternatives ? static names => names.AddUri(new Uri("coaps://other.example")) : null);

        Check(certificate, "server.example").Should().Be((CertificateVerdict)expected);
    }

    [Fact, Trait("RFC", "6066 3")]
    public void Names_with_other_letters_are_compared_and_sent_in_ASCII()
    {
        using var certificate = _authority.IssueServer("xn--bcher-kva.example");

        Check(certificate, "b\u00fccher.example").Should().Be(CertificateVerdict.Trusted);
        ServerNames.ToAscii("b\u00fccher.example").Should().Be("xn--bcher-kva.example");
        ServerNames.ToAscii("server.example").Should().Be("server.example");
    }

    [Theory, InlineData(2048, CertificateVerdict.Trusted), InlineData(1024, CertificateVerdict.Refused)]
    public void The_RSA_keys_of_authorities_must_be_long_enough(int bits, object expected)
    {
        using var key = RSA.Create(bits);
        using var own = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var ofRoot = new CertificateRequest("CN=Short", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        ofRoot.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        using var root = ofRoot.CreateSelfSigned(DateTimeOffset.UtcNow.AddYears(-1), DateTimeOffset.UtcNow.AddYears(1));
        var request = new CertificateRequest("CN=server.example", own, HashAlgorithmName.SHA256);
        using var certificate = request.Create(
            root.SubjectName, X509SignatureGenerator.CreateForRSA(key, RSASignaturePadding.Pkcs1), root.NotBefore, root.NotAfter.AddDays(-1), [1, 2, 3]);

        new CertificateCheck([root], "server.example").Check(certificate, [], out var problem).Should().Be((CertificateVerdict)expected);

        problem.Should().Be(bits < 2048 ? "the certificate 'CN=Short' has an RSA key of 1024 bits; at least 2048 are required" : "");
    }

    private CertificateVerdict Check(X509Certificate2 certificate, string host, int port = 5684) =>
        new CertificateCheck([_authority.Root], host) { Port = port }.Check(certificate, [], out _);
}
