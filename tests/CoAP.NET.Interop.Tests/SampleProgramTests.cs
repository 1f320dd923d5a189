using System.Net;
using CoAP.Interop.Tests.Programs;
using Client = CoAP.Interop.Tests.Programs.SampleClient;
using Server = CoAP.Interop.Tests.Programs.SampleServer;

namespace CoAP.Interop.Tests;

/// <summary>What the samples say about themselves and about DTLS.</summary>
[Trait("Category", "Interop")]
public sealed class SampleProgramTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory();

    public void Dispose() => _folder.Delete(recursive: true);

    // SampleSensors and SampleSensorReader are the programs of the README, word for word, which take no arguments.
    [SkippableTheory]
    [InlineData("SampleServer", "--dtls-port"), InlineData("SampleClient", "--psk"), InlineData("SampleWebServer", "--urls")]
    [InlineData("SampleHostedServer", "--DefaultCelsius"), InlineData("SampleWorker", "--CoapClients:Sensors:BaseUri")]
    [InlineData("SampleService", "--check"), InlineData("Backend", "--Backend:Simulate")]
    public async Task Help_explains_the_arguments_of_a_program(string program, string argument)
    {
        Needed.Need(OperatingSystem.IsLinux(), "the programs are run by a Linux command");

        var help = await RunningProgram.RunAsync("dotnet", Repository.Sample(program), "--help");
        var shortForm = await RunningProgram.RunAsync("dotnet", Repository.Sample(program), "-h");

        help.ExitCode.Should().Be(0, "{0}", help);
        help.Output[0].Should().StartWith($"Usage: {program} ");
        help.Output.Should().ContainSingle(line => line.StartsWith($"Example: {program} ", StringComparison.Ordinal));
        help.Output.Should().Contain(line => line.StartsWith(argument, StringComparison.Ordinal));
        help.Errors.Should().BeEmpty();
        shortForm.Should().BeEquivalentTo(help, options => options.Excluding(outcome => outcome.Command));
    }

    [SkippableFact]
    public async Task Help_of_the_server_names_the_version_and_the_file_of_OpenSSL()
    {
        Needed.Programs(Needed.OpenSsl);
        var version = await RunningProgram.RunAsync("openssl", "version", "-v");

        var help = await RunningProgram.RunAsync("dotnet", Repository.Sample("SampleServer"), "--help");

        help.Output[^1].Should().StartWith("DTLS: OpenSSL 3.").And.Match("*, /*/libssl.so.3");
        version.Text.Should().Contain(help.Output[^1].Split(' ')[2]);
    }

    // The loader finds a file that is no library first.
    [SkippableFact]
    public async Task A_server_without_OpenSSL_says_what_to_install()
    {
        Needed.Need(OperatingSystem.IsLinux(), "the programs are run by a Linux command");
        await File.WriteAllTextAsync(Path.Combine(_folder.FullName, "libcrypto.so.3"), "no library");
        string[] server = [$"LD_LIBRARY_PATH={_folder.FullName}", "dotnet", Repository.Sample("SampleServer")];

        var help = await RunningProgram.RunAsync("env", [.. server, "--help"]);
        var start = await RunningProgram.RunAsync("env", [.. server, "--port", "0", "--dtls-port", "0", "--psk", "me:secret"]);

        help.ExitCode.Should().Be(0, "{0}", help);
        help.Output[^1].Should().Match("DTLS: not available: *apt install libssl3*");
        start.ExitCode.Should().Be(1, "{0}", start);
        start.Errors.Should().Equal(help.Output[^1]);
    }

    [SkippableTheory]
    [InlineData("async"), InlineData("async-single"), InlineData("sync")]
    public async Task A_server_that_is_terminated_ends_with_0(string mode)
    {
        Needed.Need(OperatingSystem.IsLinux() && DtlsPlatform.IsSupported, "the programs are run by a Linux command, and DTLS needs OpenSSL 3");
        using var files = new CertificateFiles();
        await using var server = await Server.StartWithAllEndpointsAsync(mode, files, RunningProgram.ShortLife);
        foreach (var scheme in (string[])["coap", "coap+tcp", "coaps", "coaps+tcp", "coap+ws", "coaps+ws"])
        {
            string[] keys = ["--ca", files.Authority, .. scheme == "coaps" ? (string[])["--psk", $"{SharedServers.Identity}:{SharedServers.Key}"] : []];
            var hello = await Client.RunAsync(["GET", $"{await server.BaseAsync(scheme, "127.0.0.1")}/hello", .. keys]);
            hello.Text.Should().Be("Hello, CoAP!", "{0}\n{1}", hello, server);
        }

        (await server.EndAsync()).ExitCode.Should().Be(0);
    }

    [SkippableFact]
    public async Task The_metrics_of_the_server_contain_those_of_DTLS()
    {
        Needed.Need(OperatingSystem.IsLinux(), "the programs are run by a Linux command");
        await using var server = await Server.StartAsync("async", "--dtls-port", "0", "--psk", "me:secret", "--metrics", "600");
        var port = await server.PortAsync("coaps");

        for (var session = 0; session < 2; session++)
        {
            (await Client.RunAsync("GET", $"coaps://127.0.0.1:{port}/hello", "--psk", "me:secret")).ExitCode.Should().Be(0);
        }

        (await server.EndAsync()).Errors.Should().Contain("coap.dtls.sessions 2");
    }

    // A browser that has resolved a foreign name to this machine sends that name (DNS rebinding).
    [SkippableTheory]
    [InlineData("SampleServer"), InlineData("SampleWebServer")]
    public async Task A_host_of_WebSockets_answers_only_to_names_of_this_machine(string program)
    {
        Needed.Need(OperatingSystem.IsLinux(), "the programs are run by a Linux command");
        await using var web = program == "SampleWebServer" ? await Browser.SampleWebServer.StartAsync() : null;
        await using var server = web is null ? await Server.StartAsync("async", "--ws-port", "0") : null;
        var address = web?.Address ?? new Uri((await server!.BaseAsync("coap+ws", "127.0.0.1")).Replace("coap+ws", "http", StringComparison.Ordinal));

        (await StatusAsync(address, "evil.example")).Should().Be(HttpStatusCode.BadRequest);
        (await StatusAsync(address, "localhost")).Should().Be(HttpStatusCode.OK);
        (await StatusAsync(address, "127.0.0.1")).Should().Be(HttpStatusCode.OK);
        (await StatusAsync(address, "[::1]")).Should().Be(HttpStatusCode.OK);
    }

    private static async Task<HttpStatusCode> StatusAsync(Uri address, string name)
    {
        using var client = new HttpClient(new SocketsHttpHandler { UseProxy = false });
        using var request = new HttpRequestMessage(HttpMethod.Get, address) { Headers = { Host = $"{name}:{address.Port}" } };
        using var response = await client.SendAsync(request);
        return response.StatusCode;
    }
}
