using System.Net;
using System.Security.Claims;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using CoAP.Vocabulary;

namespace CoAP.Tests.Vocabulary.Peers;

public sealed class PeerPrincipalTests
{
    [Fact]
    public void A_certificate_gives_name_thumbprint_and_alternative_names()
    {
        using var certificate = Make("CN=device-7, O=Plant", names =>
        {
            names.AddDnsName("device-7.example");
            names.AddUri(new Uri("coaps://device-7.example/"));
            names.AddIpAddress(IPAddress.Parse("192.0.2.7"));
            names.AddEmailAddress("ops@example.org");
        });

        var user = PeerPrincipal.Of(new PeerCredentials { Certificate = certificate });

        (user.Identity!.Name, user.Identity.AuthenticationType, user.Identity.IsAuthenticated).Should().Be(("device-7", PeerAuthentication.Certificate, true));
        ValueOf(user, ClaimTypes.Thumbprint).Should().Be(certificate.Thumbprint);
        ValueOf(user, ClaimTypes.Dns).Should().Be("device-7.example");
        ValueOf(user, ClaimTypes.Uri).Should().Be("coaps://device-7.example/");
        ValueOf(user, ClaimTypes.Email).Should().Be("ops@example.org");
        user.Claims.Should().Contain(claim => claim.Value == "192.0.2.7");
    }

    [Fact]
    public void A_certificate_without_a_subject_is_named_by_its_first_alternative_name()
    {
        using var certificate = Make("", names => names.AddDnsName("device-7.example"));

        PeerPrincipal.Of(new PeerCredentials { Certificate = certificate }).Identity!.Name.Should().Be("device-7.example");
    }

    [Fact]
    public void A_malformed_extension_gives_no_alternative_names()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=odd", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509Extension("2.5.29.17", [0x30, 0x05, 0x82, 0x7f, 1, 2, 3], critical: false));
        using var certificate = request.CreateSelfSigned(DateTimeOffset.UnixEpoch, DateTimeOffset.UnixEpoch.AddYears(100));

        var user = PeerPrincipal.Of(new PeerCredentials { Certificate = certificate });

        (user.Identity!.Name, user.HasClaim(static claim => claim.Type == ClaimTypes.Dns)).Should().Be(("odd", false));
    }

    [Fact]
    public void A_key_identity_is_name_and_identifier()
    {
        var user = PeerPrincipal.Of(new PeerCredentials { PreSharedKeyIdentity = "device-7" });

        (user.Identity!.Name, user.Identity.AuthenticationType).Should().Be(("device-7", PeerAuthentication.PreSharedKey));
        ValueOf(user, ClaimTypes.NameIdentifier).Should().Be("device-7");
    }

    [Fact]
    public void A_raw_public_key_is_named_by_its_identifier()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var raw = RawPublicKey.From(key);

        var user = PeerPrincipal.Of(new PeerCredentials { RawPublicKey = raw });

        (user.Identity!.Name, user.Identity.AuthenticationType).Should().Be((raw.Identifier, PeerAuthentication.RawPublicKey));
    }

    [Fact]
    public void The_user_of_a_web_host_stays_as_it_is()
    {
        var web = new ClaimsPrincipal(new ClaimsIdentity([new Claim(ClaimTypes.Name, "ann")], "Cookies"));

        PeerPrincipal.Of(new PeerCredentials { User = web }).Should().BeSameAs(web);
    }

    [Fact]
    public void Claims_that_a_step_adds_stay_with_the_request()
    {
        var credentials = new PeerCredentials { PreSharedKeyIdentity = "device-7" };

        ((ClaimsIdentity)PeerPrincipal.Of(credentials).Identity!).AddClaim(new Claim(ClaimTypes.Role, "admin"));

        PeerPrincipal.Of(credentials).IsInRole("admin").Should().BeFalse();
    }

    private static string ValueOf(ClaimsPrincipal user, string type) => user.FindFirst(type)!.Value;

    private static X509Certificate2 Make(string subject, Action<SubjectAlternativeNameBuilder> add)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest(subject, key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        add(names);
        request.CertificateExtensions.Add(names.Build());
        return request.CreateSelfSigned(DateTimeOffset.UnixEpoch, DateTimeOffset.UnixEpoch.AddYears(100));
    }
}
