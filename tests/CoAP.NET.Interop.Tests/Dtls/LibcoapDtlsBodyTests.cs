using System.Net;
using CoAP.Interop.Tests.Programs;
using Server = CoAP.Interop.Tests.Programs.SampleServer;

namespace CoAP.Interop.Tests.Dtls;

/// <summary>Large bodies and observations over DTLS between libcoap and our sides, over IPv4 and IPv6.</summary>
[Trait("Category", "Interop")]
public sealed class LibcoapDtlsBodyTests(SharedServers servers) : IClassFixture<SharedServers>, IDisposable
{
    private const string Identity = SharedServers.Identity, Key = SharedServers.Key, V4 = "127.0.0.1", V6 = "::1";
    private const int Mebibyte = 1 << 20;

    private readonly TestAuthority _authority = new();

    public void Dispose() => _authority.Dispose();

    [SkippableTheory]
    [InlineData(Needed.CoapClientOpenSsl, V4), InlineData(Needed.CoapClientOpenSsl, V6), InlineData(Needed.CoapClientGnuTls, V4), InlineData(Needed.CoapClientGnuTls, V6)]
    [Trait("RFC", "7959 2.4"), Trait("RFC", "7252 9.1.3.1")]
    public async Task Libcoap_gets_a_large_body_with_a_pre_shared_key(string client, string address)
    {
        Needed.Programs(client);
        Needed.Address(address);
        var server = await servers.GetAsync("async");
        using var got = new BodyFile(0);

        var outcome = await RunningProgram.RunAsync(
            client, "-B", "60", "-u", Identity, "-k", Key, "-o", got.Path, "-m", "get", $"{await BaseAsync(server, address)}/large?size={Mebibyte}");

        (await File.ReadAllBytesAsync(got.Path)).Should().Equal(Enumerable.Range(0, Mebibyte).Select(i => (byte)i), "{0}\n{1}", outcome, server);
    }

    [SkippableTheory]
    [InlineData(Needed.CoapClientOpenSsl), InlineData(Needed.CoapClientGnuTls)]
    [Trait("RFC", "7959 2.5"), Trait("RFC", "7252 9.1.3.3")]
    public async Task Libcoap_puts_and_observes_with_certificates_over_ipv6(string client)
    {
        Needed.Programs(client);
        Needed.Address(V6);
        var (ofServer, ofClient) = (_authority.IssueServer(V6), _authority.IssueClient("device-7"));
        await using var server = await Server.StartAsync("async", "--dtls-port", "0", "--cert", ofServer.File, "--key", ofServer.KeyFile, "--ca", _authority.File);
        var uri = await BaseAsync(server, V6);
        string[] keys = ["-C", _authority.File, "-c", ofClient.File, "-j", ofClient.KeyFile];
        using var body = new BodyFile(Mebibyte);

        var put = await RunningProgram.RunAsync(client, ["-B", "60", .. keys, "-m", "put", "-f", body.Path, $"{uri}/upload/file"]);
        var summary = await RunningProgram.RunAsync(client, ["-B", "60", .. keys, "-m", "get", $"{uri}/upload/file"]);
        var observed = await RunningProgram.RunAsync(client, ["-B", "10", "-s", "5", .. keys, "-m", "get", $"{uri}/time"]);

        summary.Text.Should().Contain(body.Summary, "{0}\n{1}", put, server);
        observed.Text.Split('Z').Should().HaveCountGreaterThan(3, "{0}\n{1}", observed, server);
    }

    [SkippableTheory]
    [InlineData(Needed.CoapServerOpenSsl, V4), InlineData(Needed.CoapServerOpenSsl, V6), InlineData(Needed.CoapServerGnuTls, V4), InlineData(Needed.CoapServerGnuTls, V6)]
    [Trait("RFC", "7959 2.5"), Trait("RFC", "7641 1.2"), Trait("RFC", "7252 9.1.3.1")]
    public async Task Our_client_exchanges_a_large_body_and_observes_with_a_pre_shared_key(string program, string address)
    {
        Needed.Programs(program);
        Needed.Address(address);
        await using var server = await LibcoapServer.StartWithKeyAsync(program, Key, address);

        await ExchangeAsync(server, address, new() { PreSharedKey = new(Identity, "secretPSK"u8) });
    }

    [SkippableTheory]
    [InlineData(Needed.CoapServerOpenSsl, V4), InlineData(Needed.CoapServerOpenSsl, V6), InlineData(Needed.CoapServerGnuTls, V4), InlineData(Needed.CoapServerGnuTls, V6)]
    [Trait("RFC", "7959 2.5"), Trait("RFC", "7641 1.2"), Trait("RFC", "7252 9.1.3.3")]
    public async Task Our_client_exchanges_a_large_body_and_observes_with_certificates(string program, string address)
    {
        Needed.Programs(program);
        Needed.Address(address);
        await using var server = await LibcoapServer.StartSecuredAsync(program, address, _authority.IssueServer(address), _authority);

        await ExchangeAsync(server, address, new() { TrustedRoots = _authority.Roots, Certificate = _authority.IssueClient("device-7").Certificate });
    }

    private static async Task ExchangeAsync(LibcoapServer server, string address, DtlsClientSettings dtls)
    {
        await using var client = new CoapClient(new() { Dtls = dtls });
        var uri = $"coaps://{new IPEndPoint(IPAddress.Parse(address), server.Port + 1)}";
        var body = new byte[Mebibyte];
        new Random(1).NextBytes(body);
        using var patience = new CancellationTokenSource(TimeSpan.FromMinutes(1));

        var put = await client.SendAsync(new CoapRequest(RequestCode.Put, $"{uri}/file") { Payload = body }, patience.Token);
        var got = await client.GetAsync($"{uri}/file", patience.Token);
        List<string> seen = [];
        await foreach (var state in client.ObserveAsync($"{uri}/time", patience.Token))
        {
            seen.Add(state.Response.PayloadText);
            if (seen.Count == 3) { break; }
        }

        put.Code.Should().Be(ResponseCode.Created, "{0}", server);
        got.Payload.ToArray().Should().Equal(body);
        // libcoap reads the time when it answers, so two notifications can name the same second.
        seen.Distinct().Should().HaveCountGreaterThan(1);
    }

    private static async Task<string> BaseAsync(Server server, string address)
    {
        var port = (await server.BaseAsync("coaps", address)).Split(':')[^1];
        return $"coaps://{(address == V6 ? $"[{V6}]" : address)}:{port}";
    }
}
