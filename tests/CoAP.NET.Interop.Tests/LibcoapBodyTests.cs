using CoAP.Interop.Tests.Programs;
using Server = CoAP.Interop.Tests.Programs.SampleServer;

namespace CoAP.Interop.Tests;

/// <summary>libcoap's client and our sample server exchange bodies.</summary>
[Trait("Category", "Interop")]
public sealed class LibcoapBodyTests(SharedServers servers) : IClassFixture<SharedServers>
{
    private static readonly (string Mode, string Scheme)[] Ways = [("async", "coap"), ("sync", "coap"), ("async", "coap+tcp"), ("sync", "coap+tcp")];

    public static TheoryData<int, int, string, string> Cases()
    {
        var cases = new TheoryData<int, int, string, string>();
        foreach (var (body, block, way) in TransferCases.Of(Ways.Length)) { cases.Add(body, block, Ways[way].Mode, Ways[way].Scheme); }
        return cases;
    }

    [SkippableTheory]
    [MemberData(nameof(Cases))]
    [Trait("RFC", "7959 2.5")]
    public async Task Puts_a_body_and_gets_one_of_the_same_size(int body, int block, string mode, string scheme)
    {
        var server = await ServerAsync(mode);
        using var file = new BodyFile(body);
        var uri = await server.BaseAsync(scheme, "127.0.0.1");
        var upload = $"{uri}/upload/{SharedServers.NewName()}";
        string[] blocks = ["-b", $"{block}"];

        var put = await LibcoapClient.TransferAsync("put", upload, ["-f", file.Path, .. blocks]);
        var summary = await LibcoapClient.RunAsync("get", upload);
        var got = await LibcoapClient.TransferAsync("get", $"{uri}/large?size={body}", blocks);

        summary.Body.Should().Be(file.Summary, "{0}\n{1}", put.Outcome, server);
        got.Body.Should().Equal(Pattern(body), "{0}", got.Outcome);
    }

    [SkippableTheory]
    [InlineData(16)]
    [InlineData(32)]
    [InlineData(64)]
    [Trait("RFC", "7959 2.2")]
    public async Task A_body_with_too_many_blocks_is_refused(int block)
    {
        var server = await ServerAsync("async");
        var tooLarge = ((1L << 20) * block) + 1;

        var answer = await LibcoapClient.RunAsync("get", $"{await server.BaseAsync("coap", "127.0.0.1")}/large?size={tooLarge}", "-b", $"{block}");

        answer.Code.Should().Be("4.13", "{0}", answer.Outcome);
    }

    private static byte[] Pattern(int size) => [.. Enumerable.Range(0, size).Select(i => (byte)i)];

    private Task<Server> ServerAsync(string mode)
    {
        Needed.Programs(Needed.CoapClient);
        return servers.GetAsync(mode);
    }
}
