using System.Security.Cryptography.X509Certificates;
using CoAP.Dtls;
using CoAP.Dtls.OpenSsl;
using CoAP.Tests.Dtls.Handshakes;

namespace CoAP.Tests.Dtls.Certificates;

/// <summary>Handshakes with certificates between our client and our server.</summary>
public sealed class CertificateHandshakeTests : IDisposable
{
    private const string Name = "server.example";
    private const string Ecdsa = "ECDHE-ECDSA-AES128-CCM8";

    private readonly TestAuthority _authority = new();

    private X509Certificate2Collection Roots => [_authority.Root];

    public void Dispose() => _authority.Dispose();

    [Theory, Trait("RFC", "7925 4.4"), Trait("RFC", "6347 4.2"), Trait("RFC", "5246 6.3")]
    [InlineData(Ecdsa, 0xC0AE), InlineData("ECDHE-ECDSA-AES128-CCM", 0xC0AC), InlineData("ECDHE-ECDSA-AES128-GCM-SHA256", 0xC02B)]
    [InlineData("ECDHE-ECDSA-AES256-GCM-SHA384", 0xC02C), InlineData("ECDHE-ECDSA-CHACHA20-POLY1305", 0xCCA9)]
    [InlineData("ECDHE-RSA-AES128-GCM-SHA256", 0xC02F), InlineData("ECDHE-RSA-CHACHA20-POLY1305", 0xCCA8)]
    public void Both_sides_know_the_certificate_of_the_other(string cipher, int suite)
    {
        using var ofServer = _authority.IssueServer(Name, isRsa: cipher.Contains("RSA-", StringComparison.Ordinal));
        using var ofClient = _authority.IssueClient("device-7");
        using var cut = Pair(ofServer, ofClient, cipher);

        cut.Run();

        (cut.Client.Failure, cut.Server!.Failure).Should().Be((null, null));
        (cut.Client.IsDone, cut.Server.IsDone).Should().Be((true, true));
        cut.Suite!.Id.Should().Be((ushort)suite);
        cut.ClientSide.Peer.Certificate!.Thumbprint.Should().Be(ofServer.Thumbprint);
        cut.ServerSide!.Peer.Certificate!.Thumbprint.Should().Be(ofClient.Thumbprint);
        cut.Exchange("hello", toServer: true).Should().Be("hello");
        cut.Exchange("hello", toServer: false).Should().Be("hello");
    }

    [Theory, InlineData(2048, CertificateVerdict.Trusted, ""), InlineData(1024, CertificateVerdict.Refused, "the certificate 'CN=server.example' has an RSA key of 1024 bits; at least 2048 are required")]
    public void A_certificate_with_a_short_RSA_key_is_refused(int bits, object verdict, string expected)
    {
        using var ofServer = _authority.IssueServer(Name, isRsa: true, rsaBits: bits);

        new CertificateCheck(Roots, Name).Check(ofServer, [], out var problem).Should().Be((CertificateVerdict)verdict);

        problem.Should().Be(expected);
    }

    [Fact]
    public void A_certificate_of_our_own_with_a_short_RSA_key_is_an_error_at_the_start()
    {
        using var ofServer = _authority.IssueServer(Name, isRsa: true, rsaBits: 512);

        FluentActions.Invoking(() => SslContext.ForCertificates(isServer: true, "ECDHE-RSA-AES128-GCM-SHA256", ofServer, []))
            .Should().Throw<System.Security.Cryptography.CryptographicException>().WithMessage("OpenSSL refuses the certificate or its key:*too small*");
    }

    [Theory, Trait("RFC", "6347 4.2.3")]
    [InlineData(0.2)]
    public void Flights_larger_than_the_path_arrive_although_datagrams_are_lost(double loss)
    {
        using var ofServer = _authority.IssueServer(Name, isRsa: true);
        using var ofClient = _authority.IssueClient("device-7");
        var done = 0;
        for (var seed = 0; seed < 20; seed++)
        {
            using var cut = Pair(ofServer, ofClient, "ECDHE-RSA-AES128-GCM-SHA256", seed, new HandshakeSettings { MaxDatagram = 300 }, (loss, 0.1, 0.1));

            cut.Run();

            cut.Sent.Should().OnlyContain(static one => one.Datagram.Length <= 300);
            done += cut is { Client.IsDone: true, Server.IsDone: true } ? 1 : 0;
        }
        done.Should().BeGreaterThan(10);
    }

    [Fact, Trait("RFC", "6347 4.1.1.1")]
    public void Smaller_datagrams_are_tried_where_large_ones_are_lost_silently()
    {
        using var ofServer = _authority.IssueServer(Name, isRsa: true);
        using var ofClient = _authority.IssueClient("device-7");
        using var cut = Pair(ofServer, ofClient, "ECDHE-RSA-AES128-GCM-SHA256", mostBytes: 548);

        cut.Run();

        (cut.Client.IsDone, cut.Server!.IsDone).Should().Be((true, true));
        cut.Sent.Should().Contain(static one => one.Datagram.Length > 548);
    }

    [Fact, Trait("RFC", "6347 4.1.2.7")]
    public void A_forged_alert_is_forgotten_when_the_peer_goes_on_although_the_rest_of_its_flight_is_lost()
    {
        using var ofServer = _authority.IssueServer(Name, isRsa: true);
        using var ofClient = _authority.IssueClient("device-7");
        using var cut = Pair(ofServer, ofClient, "ECDHE-RSA-AES128-GCM-SHA256", settings: new HandshakeSettings { MaxDatagram = 300 }, forgesAlerts: true);
        cut.LostToClient.Add(4);

        cut.Run();

        (cut.Client.Failure, cut.Client.IsDone, cut.Server!.IsDone).Should().Be((null, true, true));
    }

    [Fact, Trait("RFC", "6347 4.2")]
    public void A_certificate_for_another_name_is_refused_with_both_names()
    {
        using var ofServer = _authority.IssueServer("other.example");

        Refused(ofServer, alert: 42).Should().Be("the certificate 'CN=other.example' is not valid for the name 'server.example', only for other.example");
    }

    [Fact, Trait("RFC", "6347 4.2")]
    public void An_expired_certificate_is_refused()
    {
        using var ofServer = _authority.IssueServer(Name, isExpired: true);

        Refused(ofServer, alert: 45).Should().Match(
            $"the certificate 'CN=server.example' is not trusted: 'CN=server.example' expired on {ofServer.NotAfter.ToUniversalTime():u}, and the clock of this machine shows *");
    }

    [Fact, Trait("RFC", "6347 4.2")]
    public void A_certificate_of_another_authority_is_refused()
    {
        using var foreign = new TestAuthority("CN=Somebody else");
        using var ofServer = foreign.IssueServer(Name);

        Refused(ofServer, alert: 48).Should().Be("the certificate 'CN=server.example' is not trusted: its issuer 'CN=Somebody else' is not among TrustedRoots");
    }

    [Fact, Trait("RFC", "6347 4.2")]
    public void A_client_without_a_certificate_is_refused_if_one_is_required()
    {
        using var ofServer = _authority.IssueServer(Name);
        using var cut = Pair(ofServer, null);

        cut.Run();

        cut.Server!.Failure.Should().Contain("the client has sent neither a certificate nor a raw public key");
        cut.Client.IsDone.Should().BeFalse();
        cut.Client.PeerAlert.Should().NotBeNull();
    }

    [Fact, Trait("RFC", "6347 4.2")]
    public void The_certificate_of_a_client_is_checked_as_well()
    {
        using var ofServer = _authority.IssueServer(Name);
        using var ofClient = _authority.IssueClient("device-7", isExpired: true);
        using var cut = Pair(ofServer, ofClient);

        cut.Run();

        cut.Server!.Failure.Should().Contain("'CN=device-7' is not trusted").And.Contain("expired");
        cut.Client.PeerAlert!.Value.Description.Should().Be(AlertDescription.CertificateExpired);
    }

    [Fact]
    public void The_certificate_of_a_server_is_not_that_of_a_client()
    {
        using var ofClient = _authority.IssueServer("device-7");

        new CertificateCheck(Roots).Check(ofClient, [], out var problem).Should().Be(CertificateVerdict.Refused);

        problem.Should().Match("the certificate 'CN=device-7' is not trusted: its extended key usage must allow client authentication (clientAuth), but is: *Server Authentication*");
    }

    [Fact]
    public void Text_of_a_certificate_is_printable_and_cut()
    {
        using var ofServer = _authority.IssueServer($"\"a\nINFO: all is well{new string('x', 1000)}\"", alternatives: null);

        new CertificateCheck(Roots, Name).Check(ofServer, [], out var problem).Should().Be(CertificateVerdict.WrongName);

        problem.Should().NotContain("\n").And.Contain("INFO: all is well").And.Match(static text => text.Length < 700);
    }

    private string Refused(X509Certificate2 ofServer, byte alert)
    {
        using var ofClient = _authority.IssueClient("device-7");
        using var cut = Pair(ofServer, ofClient);

        cut.Run();

        var record = cut.Sent.Last(static one => one.ToServer && one.Datagram[0] == (byte)ContentType.Alert).Datagram;
        record[13..15].Should().Equal(2, alert);
        cut.ClientSide.Peer.Certificate.Should().BeNull();
        cut.Client.IsDone.Should().BeFalse();
        return cut.Client.Failure!;
    }

    private HandshakePair Pair(
        X509Certificate2 ofServer, X509Certificate2? ofClient, string ciphers = Ecdsa, int seed = 1, HandshakeSettings? settings = null,
        (double Loss, double Duplication, double Delay) faults = default, int mostBytes = int.MaxValue, bool forgesAlerts = false)
    {
        var server = SslContext.ForCertificates(isServer: true, ciphers, ofServer, Roots, asks: true, requires: true);
        var client = SslContext.ForCertificates(isServer: false, ciphers, ofClient, []);
        return new(server, client, new CertificateCheck(Roots), new CertificateCheck(Roots, Name), seed, settings: settings) { Faults = faults, MostBytes = mostBytes, ForgesAlerts = forgesAlerts };
    }
}
