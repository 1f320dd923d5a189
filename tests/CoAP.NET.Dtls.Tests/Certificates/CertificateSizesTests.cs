using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using CoAP.Dtls;

namespace CoAP.Tests.Dtls.Certificates;

/// <summary>Certificates whose check would cost too much are refused before their chain is checked.</summary>
public sealed class CertificateSizesTests : IDisposable
{
    private readonly TestAuthority _authority = new();

    public void Dispose() => _authority.Dispose();

    [Fact]
    public void Usual_certificates_are_within_the_limits()
    {
        using var client = _authority.IssueClient("device-7");

        CertificateSizes.ProblemOf(client, [client, _authority.Root], 8192).Should().BeNull();
    }

    [Fact]
    public void A_large_certificate_is_refused()
    {
        using var client = _authority.IssueServer("device-7", static names =>
        {
            for (var i = 0; i < 500; i++) { names.AddDnsName($"device-{i}.example.com"); }
        });

        CertificateSizes.ProblemOf(client, [], 8192).Should().Be($"the certificate of the peer has {client.RawData.Length} bytes; at most 8192 are accepted");
    }

    [Theory, InlineData(8, null), InlineData(9, "the peer has sent 9 certificates; at most 8 are accepted")]
    public void A_long_chain_is_refused(int count, string? expected)
    {
        using var client = _authority.IssueClient("device-7");

        CertificateSizes.ProblemOf(client, [.. Enumerable.Repeat(client, count)], 8192).Should().Be(expected);
    }

    [Theory, InlineData(8192, null), InlineData(8200, "a certificate of the peer has an RSA key of 8200 bits; at most 8192 are accepted")]
    public void A_long_RSA_key_is_refused(int bits, string? expected)
    {
        using var client = _authority.IssueClient("device-7");
        using var other = WithRsaKey(bits);

        CertificateSizes.ProblemOf(client, [other], 8192).Should().Be(expected);
        CertificateSizes.ProblemOf(other, [], 8192).Should().Be(expected);
    }

    // Nobody knows the private key.
    private static X509Certificate2 WithRsaKey(int bits)
    {
        var modulus = Enumerable.Repeat((byte)0xFF, bits / 8).ToArray();
        using var rsa = RSA.Create(new RSAParameters { Modulus = modulus, Exponent = [1, 0, 1] });
        using var issuer = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var name = new X500DistinguishedName("CN=large");
        return new CertificateRequest(name, rsa, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1)
            .Create(name, X509SignatureGenerator.CreateForECDsa(issuer), DateTimeOffset.UtcNow, DateTimeOffset.UtcNow.AddDays(1), [1]);
    }
}
