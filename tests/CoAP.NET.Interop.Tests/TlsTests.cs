using CoAP.Interop.Tests.Programs;
using Client = CoAP.Interop.Tests.Programs.SampleClient;

namespace CoAP.Interop.Tests;

/// <summary>
/// TLS between libcoap and our samples, and WebSockets between our samples. libcoap's server over GnuTLS leaves the protocol unsaid on every port,
/// which RFC 8323, section 8.2, allows on port 5684 only: our client refuses it.
/// </summary>
[Trait("Category", "Interop")]
public sealed class TlsTests(SharedServers servers) : IClassFixture<SharedServers>
{
    private readonly CertificateFiles _files = servers.Files;

    [SkippableTheory]
    [InlineData("async", Needed.CoapClientOpenSsl), InlineData("async", Needed.CoapClientGnuTls)]
    [InlineData("async-single", Needed.CoapClientOpenSsl)]
    [InlineData("sync", Needed.CoapClientOpenSsl), InlineData("sync", Needed.CoapClientGnuTls)]
    [Trait("RFC", "8323 8.2")]
    public async Task Libcoap_gets_over_tls(string mode, string client)
    {
        Needed.Programs(client);
        var server = await servers.GetAsync(mode);
        var uri = await server.BaseAsync("coaps+tcp", "127.0.0.1");

        var hello = await RunningProgram.RunAsync(client, "-B", "60", "-C", _files.Authority, "-m", "get", $"{uri}/hello");
        var large = await RunningProgram.RunAsync(client, "-B", "60", "-C", _files.Authority, "-m", "get", $"{uri}/.well-known/core");

        hello.Text.Should().Contain("Hello, CoAP!", "{0}", server);
        large.Text.Should().Contain("</sensors/temperature>", "{0}", server);
    }

    [SkippableTheory]
    [InlineData(Needed.CoapServerOpenSsl, ""), InlineData(Needed.CoapServerOpenSsl, "--sync")]
    [Trait("RFC", "8323 8.2")]
    public async Task Our_client_gets_over_tls(string program, string form)
    {
        Needed.Programs(program);
        await using var server = await LibcoapServer.StartSecuredAsync(program, _files);

        var time = await Client.RunAsync(
            ["GET", $"coaps+tcp://127.0.0.1:{server.Port + 1}/time", "--ca", _files.Authority, .. form.Split(' ', StringSplitOptions.RemoveEmptyEntries)]);
        var untrusted = await Client.RunAsync("GET", $"coaps+tcp://127.0.0.1:{server.Port + 1}/time");

        time.ExitCode.Should().Be(0, "{0}\n{1}", time, server);
        untrusted.ExitCode.Should().Be(2);
        untrusted.Errors.Should().ContainMatch("*not trusted*");
    }

    [SkippableTheory]
    [InlineData("async", "coap+ws", ""), InlineData("async", "coaps+ws", "--sync"), InlineData("sync", "coaps+ws", ""), InlineData("sync", "coap+ws", "--sync")]
    [Trait("RFC", "8323 8.3")]
    public async Task Our_client_gets_over_web_sockets(string mode, string scheme, string form)
    {
        Needed.Need(OperatingSystem.IsLinux(), "the programs are run by a Linux command");
        var server = await servers.GetAsync(mode);
        string[] how = ["--ca", _files.Authority, .. form.Split(' ', StringSplitOptions.RemoveEmptyEntries)];
        var uri = await server.BaseAsync(scheme, "127.0.0.1");

        var hello = await Client.RunAsync(["GET", $"{uri}/hello", .. how]);
        var observed = await Client.RunAsync(["GET", $"{uri}/time", "--observe", "8", .. how]);

        hello.Text.Should().Be("Hello, CoAP!", "{0}", server);
        observed.Output.Should().HaveCountGreaterThan(1, "{0}", server);
    }
}
