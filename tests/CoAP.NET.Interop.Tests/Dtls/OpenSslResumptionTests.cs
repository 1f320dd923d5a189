using System.Net;
using CoAP.Interop.Tests.Programs;

namespace CoAP.Interop.Tests.Dtls;

/// <summary>Sessions that the "openssl" program and our sides continue later (RFC 5077; RFC 5246, section 7.3).</summary>
[Trait("Category", "Interop")]
public sealed class OpenSslResumptionTests : IDisposable
{
    private const string Identity = "device-7", Key = "0102030405060708090a0b0c0d0e0f10";
    private const string New = "New, TLSv1.2", Reused = "Reused, TLSv1.2";

    private static readonly PreSharedKey OurKey = new(Identity, Convert.FromHexString(Key));

    private readonly TestAuthority _authority = new();
    private readonly string _file = Path.GetTempFileName();

    public void Dispose()
    {
        _authority.Dispose();
        File.Delete(_file);
    }

    [SkippableTheory]
    [InlineData(true), InlineData(false)]
    [Trait("RFC", "5077 3.1"), Trait("RFC", "5246 7.3")]
    public async Task S_client_resumes_a_session_with_a_pre_shared_key(bool hasTicket)
    {
        Needed.Programs(Needed.OpenSsl);
        await using var server = SecuredServer.Start(new() { PreSharedKeys = PskStore.From(OurKey) });
        string[] how = ["-psk", Key, "-psk_identity", Identity, .. hasTicket ? (string[])[] : ["-no_ticket"]];

        var first = await GetAsync(server, Identity, [.. how, "-sess_out", _file]);
        var second = await GetAsync(server, Identity, [.. how, "-sess_in", _file]);

        first.Should().Contain(New).And.Match(output => output.Contains("TLS session ticket:", StringComparison.Ordinal) == hasTicket);
        second.Should().Contain(Reused);
    }

    [SkippableTheory]
    [InlineData(true), InlineData(false)]
    [Trait("RFC", "5077 3.1"), Trait("RFC", "5246 7.3")]
    public async Task S_client_resumes_a_session_with_certificates(bool hasTicket)
    {
        Needed.Programs(Needed.OpenSsl);
        var (ofServer, ofClient) = (_authority.IssueServer("server.example"), _authority.IssueClient(Identity));
        var dtls = new DtlsServerSettings { Certificate = TlsCertificateSource.From(ofServer.Certificate), TrustedRoots = _authority.Roots, RequiresClientCertificate = true };
        await using var server = SecuredServer.Start(dtls);
        string[] how = ["-cert", ofClient.File, "-key", ofClient.KeyFile, "-CAfile", _authority.File, "-verify_return_error", .. hasTicket ? (string[])[] : ["-no_ticket"]];

        var first = await GetAsync(server, $"CN={Identity}", [.. how, "-sess_out", _file]);
        var second = await GetAsync(server, $"CN={Identity}", [.. how, "-sess_in", _file]);

        first.Should().Contain(New).And.Match(output => output.Contains("TLS session ticket:", StringComparison.Ordinal) == hasTicket);
        second.Should().Contain(Reused);
    }

    // The second server has the secret of the first one and none of its sessions.
    [SkippableFact]
    [Trait("RFC", "5077 3.1")]
    public async Task S_client_resumes_with_another_server_that_has_the_same_secret()
    {
        Needed.Programs(Needed.OpenSsl);
        var dtls = new DtlsServerSettings { PreSharedKeys = PskStore.From(OurKey), TicketSecret = new byte[32] };
        await using var server = SecuredServer.Start(dtls);
        await using var another = SecuredServer.Start(dtls);
        await using var stranger = SecuredServer.Start(dtls with { TicketSecret = null });
        string[] how = ["-psk", Key, "-psk_identity", Identity];

        await GetAsync(server, Identity, [.. how, "-sess_out", _file]);

        (await GetAsync(another, Identity, [.. how, "-sess_in", _file])).Should().Contain(Reused);
        (await GetAsync(stranger, Identity, [.. how, "-sess_in", _file])).Should().Contain(New);
    }

    [SkippableTheory]
    [InlineData(true), InlineData(false)]
    [Trait("RFC", "5246 7.3")]
    public async Task A_server_that_does_not_allow_it_begins_anew(bool hasTicket)
    {
        Needed.Programs(Needed.OpenSsl);
        await using var server = SecuredServer.Start(new() { PreSharedKeys = PskStore.From(OurKey), AllowsResumption = false });
        string[] how = ["-psk", Key, "-psk_identity", Identity, .. hasTicket ? (string[])[] : ["-no_ticket"]];

        var first = await GetAsync(server, Identity, [.. how, "-sess_out", _file]);

        first.Should().Contain(New).And.NotContain("TLS session ticket:").And.Contain("Session-ID: \n");
        new FileInfo(_file).Length.Should().Be(0, "s_client has nothing that it could resume");
    }

    // libcoap does not know connection IDs, so a NAT ends the session.
    [SkippableFact]
    [Trait("RFC", "5077 3.1")]
    public async Task Our_client_resumes_a_session_with_libcoap()
    {
        Needed.Programs(Needed.CoapServerOpenSsl, Needed.TShark);
        await using var server = await LibcoapServer.StartWithKeyAsync(Needed.CoapServerOpenSsl, "secretPSK");
        using var capture = new RelayedCapture(new IPEndPoint(IPAddress.Loopback, server.Port + 1));
        await using var client = new CoapClient(new()
        {
            Dtls = new DtlsClientSettings { PreSharedKey = new(Identity, "secretPSK"u8) },
            Transmission = new() { AckTimeout = TimeSpan.FromMilliseconds(100) },
        });
        (await client.GetAsync($"{capture.Origin}/time")).Code.Should().Be(ResponseCode.Content);

        capture.Move();
        (await client.GetAsync($"{capture.Origin}/time")).Code.Should().Be(ResponseCode.Content);

        var serverHellos = await capture.ReadAsync("-Y", "dtls.handshake.type == 2");
        var keyExchanges = await capture.ReadAsync("-Y", "dtls.handshake.type == 16");
        (serverHellos.Count, keyExchanges.Count).Should().Be((2, 1), "the second handshake needs no keys");
    }

    private static async Task<string> GetAsync(CoapServer server, string name, string[] arguments)
    {
        await using var client = OpenSslTool.StartClient(server.Address(), arguments);
        await client.SendAsync(PlainMessage.GetOf("hello"));
        await client.SeesAsync($"Hello, {name}!");
        return client.Output;
    }
}
