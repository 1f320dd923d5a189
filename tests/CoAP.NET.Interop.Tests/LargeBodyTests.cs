using CoAP.Interop.Tests.Programs;
using CoAP.TestSupport;
using Client = CoAP.Interop.Tests.Programs.SampleClient;

namespace CoAP.Interop.Tests;

/// <summary>Bodies that pass through without being held: 100 MiB where <c>COAP_TESTS=full</c>, 4 MiB otherwise.</summary>
[Trait("Category", "Interop")]
public sealed class LargeBodyTests(SampleServers servers) : IClassFixture<SampleServers>, IDisposable
{
    private const long Mebi = 1 << 20;

    // The runtime and the library take about 100 MiB; a body that is held comes on top.
    private const long MostMemory = 160 * Mebi;

    private static readonly long Size = (TestLevel.IsFull ? 100 : 4) * Mebi;

    private readonly BodyFile _file = new(Size);

    public void Dispose() => _file.Dispose();

    [SkippableTheory]
    [InlineData("async", 128), InlineData("async", 1024), InlineData("sync", 1024)]
    [Trait("RFC", "7959 2.5")]
    public async Task Libcoap_puts_and_gets(string mode, int block)
    {
        Needed.Programs(Needed.CoapClient);
        var server = await servers.GetAsync(mode);
        var uri = await server.BaseAsync("coap", "127.0.0.1");

        var put = await LibcoapClient.TransferAsync("put", $"{uri}/upload/file", ["-f", _file.Path, "-b", $"{block}"]);
        var summary = await LibcoapClient.RunAsync("get", $"{uri}/upload/file");
        var got = await GetAsync($"{uri}/large?size={Size}", block);

        summary.Body.Should().Be(_file.Summary, "{0}", put.Outcome);
        got.Body.LongLength.Should().Be(Size, "{0}", got.Outcome);
        Enumerable.Range(0, got.Body.Length).All(at => got.Body[at] == (byte)at).Should().BeTrue();
        server.ResidentBytes().Should().BeLessThan(MostMemory);
    }

    // If the first block comes as a separate response, because the server is slow, this version of libcoap acknowledges it and never asks for
    // the second one.
    private static async Task<LibcoapTransfer> GetAsync(string uri, int block)
    {
        const int Attempts = 3;

        var got = await LibcoapClient.TransferAsync("get", uri, ["-b", $"{block}"]);
        for (var attempt = 1; attempt < Attempts && got.Body.Length == 0; attempt++)
        {
            got = await LibcoapClient.TransferAsync("get", uri, ["-b", $"{block}"]);
        }
        return got;
    }

    [SkippableTheory]
    [InlineData("coap", 128, ""), InlineData("coap", 1024, "--sync"), InlineData("coap+tcp", 1024, "")]
    [Trait("RFC", "7959 2.4")]
    public async Task Our_client_puts(string scheme, int block, string form)
    {
        Needed.Need(OperatingSystem.IsLinux(), "the programs are run by a Linux command");
        var server = await servers.GetAsync("async");
        var uri = $"{await server.BaseAsync(scheme, "127.0.0.1")}/upload/file";

        var put = await Client.RunAsync(
            ["PUT", uri, "--file", _file.Path, "--block-size", $"{block}", .. form.Split(' ', StringSplitOptions.RemoveEmptyEntries)]);
        var summary = await Client.RunAsync("GET", uri);

        put.ExitCode.Should().Be(0, "{0}", put);
        summary.Text.Should().Be(_file.Summary);
        server.ResidentBytes().Should().BeLessThan(MostMemory);
    }
}
