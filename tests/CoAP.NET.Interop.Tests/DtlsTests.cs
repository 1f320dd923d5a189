using System.Globalization;
using CoAP.Interop.Tests.Programs;
using Client = CoAP.Interop.Tests.Programs.SampleClient;
using Server = CoAP.Interop.Tests.Programs.SampleServer;

namespace CoAP.Interop.Tests;

/// <summary>DTLS 1.2 between libcoap, with OpenSSL and with GnuTLS, and our samples.</summary>
[Trait("Category", "Interop")]
public sealed class DtlsTests(SharedServers servers) : IClassFixture<SharedServers>
{
    private const string Identity = SharedServers.Identity, Key = SharedServers.Key;

    private readonly CertificateFiles _files = servers.Files;

    [SkippableTheory]
    [InlineData(Needed.CoapClientOpenSsl, "127.0.0.1"), InlineData(Needed.CoapClientOpenSsl, "::1")]
    [InlineData(Needed.CoapClientGnuTls, "127.0.0.1"), InlineData(Needed.CoapClientGnuTls, "::1")]
    [Trait("RFC", "7252 9.1.3.1")]
    public async Task Libcoap_gets_puts_and_observes_with_a_pre_shared_key(string client, string address)
    {
        Needed.Programs(client);
        Needed.Address(address);
        var server = await servers.GetAsync("async");
        var uri = await BaseAsync(server, address);
        var upload = $"{uri}/upload/{SharedServers.NewName()}";
        using var body = new BodyFile(1 << 20);

        var hello = await RunningProgram.RunAsync(client, "-B", "60", "-u", Identity, "-k", Key, "-m", "get", $"{uri}/hello");
        await RunningProgram.RunAsync(client, "-B", "60", "-u", Identity, "-k", Key, "-m", "put", "-f", body.Path, upload);
        var put = await RunningProgram.RunAsync(client, "-B", "60", "-u", Identity, "-k", Key, "-m", "get", upload);
        var observed = await RunningProgram.RunAsync(client, "-B", "10", "-s", "5", "-u", Identity, "-k", Key, "-m", "get", $"{uri}/time");
        var refused = await RunningProgram.RunAsync(client, "-B", "3", "-u", "you", "-k", Key, "-m", "get", $"{uri}/hello");

        hello.Text.Should().Contain("Hello, CoAP!", "{0}", server);
        put.Text.Should().Contain(body.Summary, "{0}", server);
        observed.Text.Split('Z').Should().HaveCountGreaterThan(3, "{0}", server);
        refused.Text.Should().NotContain("Hello", "{0}", server);
    }

    [SkippableTheory]
    [InlineData(Needed.CoapClientOpenSsl), InlineData(Needed.CoapClientGnuTls)]
    [Trait("RFC", "7252 9.1.3.3")]
    public async Task Libcoap_gets_with_certificates_of_both_sides(string client)
    {
        Needed.Programs(client);
        var server = await servers.GetAsync("async");
        var uri = await BaseAsync(server, "127.0.0.1");

        var hello = await RunningProgram.RunAsync(
            client, "-B", "60", "-C", _files.Authority, "-c", _files.Certificate, "-j", _files.Key, "-m", "get", $"{uri}/hello");

        hello.Text.Should().Contain("Hello, CoAP!", "{0}\n{1}", hello, server);
    }

    [SkippableTheory]
    [InlineData(""), InlineData("--sync")]
    [Trait("RFC", "7252 9.1.3.1")]
    public async Task Our_client_gets_from_libcoap_with_a_pre_shared_key(string form)
    {
        Needed.Programs(Needed.CoapServerOpenSsl);
        await using var server = await LibcoapServer.StartWithKeyAsync(Needed.CoapServerOpenSsl, Key);
        string[] how = form.Length == 0 ? [] : [form];

        var time = await Client.RunAsync(["GET", $"coaps://127.0.0.1:{server.Port + 1}/time", "--psk", $"{Identity}:{Key}", .. how]);
        var observed = await Client.RunAsync(["GET", $"coaps://127.0.0.1:{server.Port + 1}/time", "--observe", "3", "--psk", $"{Identity}:{Key}", .. how]);

        time.ExitCode.Should().Be(0, "{0}\n{1}", time, server);
        observed.Output.Should().HaveCountGreaterThan(1, "{0}\n{1}", observed, server);
    }

    [SkippableFact]
    [Trait("RFC", "7252 9.1.3.3")]
    public async Task Our_client_gets_from_libcoap_with_a_certificate()
    {
        Needed.Programs(Needed.CoapServerOpenSsl);
        await using var server = await LibcoapServer.StartSecuredAsync(Needed.CoapServerOpenSsl, _files);

        var time = await Client.RunAsync("GET", $"coaps://127.0.0.1:{server.Port + 1}/time", "--ca", _files.Authority);
        var untrusted = await Client.RunAsync("GET", $"coaps://127.0.0.1:{server.Port + 1}/time");

        time.ExitCode.Should().Be(0, "{0}\n{1}", time, server);
        untrusted.ExitCode.Should().Be(2);
        untrusted.Errors.Should().ContainMatch("*not trusted*");
    }

    [SkippableTheory]
    [InlineData(""), InlineData("--sync")]
    public async Task Our_client_and_our_server_agree(string form)
    {
        Needed.Need(OperatingSystem.IsLinux(), "the programs are run by a Linux command");
        var server = await servers.GetAsync("async");
        var uri = await BaseAsync(server, "127.0.0.1");
        string[] how = form.Length == 0 ? [] : [form];

        var hello = await Client.RunAsync(["GET", $"{uri}/hello", "--psk", $"{Identity}:0x{Convert.ToHexString("secretPSK"u8)}", .. how]);
        var unknown = await Client.RunAsync(["GET", $"{uri}/hello", "--psk", $"you:{Key}", .. how]);

        hello.Text.Should().Be("Hello, CoAP!");
        unknown.ExitCode.Should().Be(2);
        unknown.Errors.Should().ContainMatch("*DecryptError*does not know it*");
    }

    private static async Task<string> BaseAsync(Server server, string address)
    {
        var port = (await server.BaseAsync("coaps", address)).Split(':')[^1];
        return string.Create(CultureInfo.InvariantCulture, $"coaps://{(address.Contains(':') ? $"[{address}]" : address)}:{port}");
    }
}
