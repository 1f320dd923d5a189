using System.Globalization;
using CoAP.Interop.Tests.Programs;
using Client = CoAP.Interop.Tests.Programs.SampleClient;

namespace CoAP.Interop.Tests;

/// <summary>Our sample client and libcoap's server exchange bodies.</summary>
[Trait("Category", "Interop")]
public sealed class SampleClientBodyTests
{
    private static readonly (string Scheme, string Form)[] Ways = [("coap", ""), ("coap", "--sync"), ("coap+tcp", ""), ("coap+tcp", "--sync")];

    public static TheoryData<int, int, string, string> Cases()
    {
        var cases = new TheoryData<int, int, string, string>();
        foreach (var (body, block, way) in TransferCases.Of(Ways.Length)) { cases.Add(body, block, Ways[way].Scheme, Ways[way].Form); }
        return cases;
    }

    [SkippableTheory]
    [MemberData(nameof(Cases))]
    [Trait("RFC", "7959 2.4")]
    public async Task Puts_a_body_and_gets_it_back(int body, int block, string scheme, string form)
    {
        await using var server = await StartAsync();
        using var file = new BodyFile(body);
        var uri = $"{server.Base(scheme)}/note";
        string[] how = ["--block-size", $"{block}", .. form.Split(' ', StringSplitOptions.RemoveEmptyEntries)];

        var put = await Client.RunAsync(["PUT", uri, "--file", file.Path, .. how]);
        var got = await Client.RunAsync(["GET", uri, .. how]);

        put.ExitCode.Should().Be(0, "{0}\n{1}", put, server);
        got.ExitCode.Should().Be(0, "{0}\n{1}", got, server);
        got.Text.Should().Be(file.Text);
    }

    [SkippableTheory]
    [InlineData(16)]
    [InlineData(32)]
    [InlineData(64)]
    [Trait("RFC", "7959 2.2")]
    public async Task Refuses_a_body_that_has_too_many_blocks_before_anything_is_sent(int block)
    {
        await using var server = await StartAsync();
        using var file = new BodyFile(((1L << 20) * block) + 1);

        var outcome = await Client.RunAsync("PUT", $"{server.Base("coap")}/note", "--file", file.Path, "--block-size", $"{block}");

        outcome.ExitCode.Should().Be(2, "{0}", outcome);
        outcome.Errors.Should().ContainMatch(string.Create(CultureInfo.InvariantCulture, $"*{(1L << 20) * block}*"));
        server.ToString().Should().NotContain("/note");
    }

    private static async Task<LibcoapServer> StartAsync()
    {
        Needed.Programs(Needed.CoapServer);
        return await LibcoapServer.StartAsync("127.0.0.1");
    }
}
