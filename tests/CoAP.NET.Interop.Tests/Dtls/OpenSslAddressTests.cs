using System.Net;
using CoAP.Interop.Tests.Programs;

namespace CoAP.Interop.Tests.Dtls;

/// <summary>Requests between the "openssl" program and our client and server, over IPv4 and IPv6.</summary>
[Trait("Category", "Interop")]
public sealed class OpenSslAddressTests : IDisposable
{
    private const string Identity = "device-7", Key = "0102030405060708090a0b0c0d0e0f10";

    private readonly TestAuthority _authority = new();

    public void Dispose() => _authority.Dispose();

    [SkippableTheory]
    [InlineData("127.0.0.1"), InlineData("::1")]
    [Trait("RFC", "7252 9.1.3.1")]
    public async Task S_client_gets_with_a_pre_shared_key(string address)
    {
        Need(address);
        await using var server = SecuredServer.Start(new() { PreSharedKeys = PskStore.From(OurKey) }, IPAddress.Parse(address));

        await using var client = OpenSslTool.StartClient(server.Address(), "-psk", Key, "-psk_identity", Identity);
        await client.SendAsync(PlainMessage.GetOf("hello"));

        await client.SeesAsync($"Hello, {Identity}!");
        client.Output.Should().Contain(PlainMessage.Answer).And.Contain($"PSK identity: {Identity}");
    }

    [SkippableTheory]
    [InlineData("127.0.0.1"), InlineData("::1")]
    [Trait("RFC", "7252 9.1.3.3")]
    public async Task S_client_gets_with_certificates_of_both_sides(string address)
    {
        Need(address);
        var (ofServer, ofClient) = (_authority.IssueServer(address), _authority.IssueClient(Identity));
        var dtls = new DtlsServerSettings { Certificate = TlsCertificateSource.From(ofServer.Certificate), TrustedRoots = _authority.Roots, RequiresClientCertificate = true };
        await using var server = SecuredServer.Start(dtls, IPAddress.Parse(address));

        await using var client = OpenSslTool.StartClient(
            server.Address(), "-cert", ofClient.File, "-key", ofClient.KeyFile, "-CAfile", _authority.File, "-verify_return_error", "-verify_ip", address);
        await client.SendAsync(PlainMessage.GetOf("hello"));

        await client.SeesAsync($"Hello, CN={Identity}!");
        client.Output.Should().Contain(PlainMessage.Answer).And.Contain("Verify return code: 0 (ok)");
    }

    [SkippableTheory]
    [InlineData("127.0.0.1"), InlineData("::1")]
    [Trait("RFC", "7252 9.1.3.1")]
    public async Task Our_client_gets_from_s_server_with_a_pre_shared_key(string address)
    {
        Need(address);
        await using var server = await OpenSslTool.StartServerAsync(IPAddress.Parse(address), "-psk", Key, "-nocert", "-psk_identity", Identity);
        await using var client = new CoapClient(new() { Dtls = new DtlsClientSettings { PreSharedKey = OurKey } });

        (await GetAsync(client, server, address)).Should().Be("Hello, client!");

        server.Output.Should().NotContain("identity not what we expected");
    }

    [SkippableTheory]
    [InlineData("127.0.0.1"), InlineData("::1")]
    [Trait("RFC", "7252 9.1.3.3")]
    public async Task Our_client_gets_from_s_server_with_certificates_of_both_sides(string address)
    {
        Need(address);
        var (ofServer, ofClient) = (_authority.IssueServer(address), _authority.IssueClient(Identity));
        await using var server = await OpenSslTool.StartServerAsync(
            IPAddress.Parse(address), "-cert", ofServer.File, "-key", ofServer.KeyFile, "-CAfile", _authority.File, "-Verify", "1", "-verify_return_error");
        await using var client = new CoapClient(new() { Dtls = new DtlsClientSettings { TrustedRoots = _authority.Roots, Certificate = ofClient.Certificate } });

        (await GetAsync(client, server, address)).Should().Be("Hello, client!");

        server.Output.Should().Contain($"subject=CN = {Identity}");
    }

    private static PreSharedKey OurKey => new(Identity, Convert.FromHexString(Key));

    private static void Need(string address)
    {
        Needed.Programs(Needed.OpenSsl);
        Needed.Address(address);
    }

    private static async Task<string> GetAsync(CoapClient client, OpenSslTool server, string address)
    {
        var answer = client.GetAsync($"coaps://{new IPEndPoint(IPAddress.Parse(address), server.Port)}/hello");
        await server.AnswerAsync("hello", "Hello, client!");
        return (await answer).PayloadText;
    }
}
