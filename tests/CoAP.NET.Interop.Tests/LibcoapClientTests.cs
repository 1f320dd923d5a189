using CoAP.Interop.Tests.Programs;
using Server = CoAP.Interop.Tests.Programs.SampleServer;

namespace CoAP.Interop.Tests;

/// <summary>libcoap's client on our sample server.</summary>
[Trait("Category", "Interop")]
public sealed class LibcoapClientTests(SharedServers servers) : IClassFixture<SharedServers>
{
    public static TheoryData<string, string, string> Ways()
    {
        var ways = new TheoryData<string, string, string>();
        foreach (var mode in (string[])["async", "async-single", "sync"])
        {
            foreach (var scheme in (string[])["coap", "coap+tcp"])
            {
                ways.Add(mode, scheme, "127.0.0.1");
                ways.Add(mode, scheme, "::1");
            }
        }
        return ways;
    }

    [SkippableTheory]
    [MemberData(nameof(Ways))]
    [Trait("RFC", "7252 5.8")]
    public async Task Puts_gets_posts_and_deletes(string mode, string scheme, string address)
    {
        var server = await ServerAsync(mode, address);
        var uri = $"{await server.BaseAsync(scheme, address)}/store/{SharedServers.NewName()}";

        var put = await LibcoapClient.RunAsync("put", uri, "-e", "buy milk", "-t", "text/plain");
        var post = await LibcoapClient.RunAsync("post", uri, "-e", " and tea", "-t", "text/plain");
        var get = await LibcoapClient.RunAsync("get", uri);
        var delete = await LibcoapClient.RunAsync("delete", uri);
        var gone = await LibcoapClient.RunAsync("get", uri);

        string[] codes = [put.Code, post.Code, get.Code, delete.Code, gone.Code];
        codes.Should().Equal(["2.01", "2.04", "2.05", "2.02", "4.04"], "the server said\n{0}", server);
        get.Body.Should().Be("buy milk and tea");
        get.Options.Should().Contain("Content-Format:text/plain");
    }

    [SkippableTheory]
    [InlineData("async")]
    [InlineData("async-single")]
    [InlineData("sync")]
    [Trait("RFC", "7252 5.2.2")]
    public async Task Gets_a_separate_response_to_what_takes_long(string mode)
    {
        var server = await ServerAsync(mode, "127.0.0.1");

        var overUdp = await LibcoapClient.RunAsync("get", $"{await server.BaseAsync("coap", "127.0.0.1")}/slow?ms=500");
        var overTcp = await LibcoapClient.RunAsync("get", $"{await server.BaseAsync("coap+tcp", "127.0.0.1")}/slow?ms=500");

        overUdp.Body.Should().Be("This took 500 ms.").And.Be(overTcp.Body);
        overUdp.Type.Should().Be("CON");
        overUdp.Outcome.ToString().Should().Contain("t:ACK c:0.00", "the request is acknowledged before the response comes");
    }

    [SkippableTheory]
    [InlineData("async", "coap")]
    [InlineData("async-single", "coap+tcp")]
    [InlineData("sync", "coap")]
    [InlineData("sync", "coap+tcp")]
    [Trait("RFC", "7252 5.10.4")]
    public async Task Gets_the_format_that_it_accepts_or_4_06(string mode, string scheme)
    {
        var server = await ServerAsync(mode, "127.0.0.1");
        var uri = $"{await server.BaseAsync(scheme, "127.0.0.1")}/sensors/temperature";

        var text = await LibcoapClient.RunAsync("get", uri);
        var json = await LibcoapClient.RunAsync("get", uri, "-A", "application/json");
        var xml = await LibcoapClient.RunAsync("get", uri, "-A", "application/xml");

        text.Body.Should().MatchRegex(@"^\d\d\.\d$");
        json.Body.Should().MatchRegex(@"^\{""celsius"":\d\d\.\d\}$");
        json.Options.Should().Contain("Content-Format:application/json");
        xml.Code.Should().Be("4.06");
    }

    [SkippableTheory]
    [InlineData("async", "coap")]
    [InlineData("sync", "coap+tcp")]
    [Trait("RFC", "7252 5.10.6.2")]
    public async Task A_valid_representation_is_confirmed(string mode, string scheme)
    {
        var server = await ServerAsync(mode, "127.0.0.1");
        var uri = $"{await server.BaseAsync(scheme, "127.0.0.1")}/store/{SharedServers.NewName()}";
        await LibcoapClient.RunAsync("put", uri, "-e", "buy milk");

        var first = await LibcoapClient.RunAsync("get", uri);
        var tag = first.Options.Split(',').Single(option => option.Trim().StartsWith("ETag:", StringComparison.Ordinal)).Split(':')[1];
        var again = await LibcoapClient.RunAsync("get", uri, "-O", $"4,{tag}");
        var other = await LibcoapClient.RunAsync("get", uri, "-O", "4,0x0102030405060708");

        string[] codes = [first.Code, again.Code, other.Code];
        codes.Should().Equal("2.05", "2.03", "2.05");
        again.Options.Should().Contain($"ETag:{tag}");
    }

    [SkippableTheory]
    [InlineData("async", "coap")]
    [InlineData("sync", "coap+tcp")]
    [Trait("RFC", "6690 4")]
    public async Task Discovers_what_there_is(string mode, string scheme)
    {
        var server = await ServerAsync(mode, "127.0.0.1");
        var uri = $"{await server.BaseAsync(scheme, "127.0.0.1")}/.well-known/core";

        var all = await LibcoapClient.RunAsync("get", uri);
        var some = await LibcoapClient.RunAsync("get", $"{uri}?rt=temperature");

        all.Options.Should().Contain("Content-Format:application/link-format");
        all.Body.Should().Contain("</hello>;title=\"A greeting\"").And.Contain("</sensors/temperature>");
        some.Body.Should().StartWith("</sensors/temperature>;").And.NotContain("</hello>");
    }

    [SkippableTheory]
    [InlineData("async", "coap")]
    [InlineData("async-single", "coap")]
    [InlineData("sync", "coap+tcp")]
    [Trait("RFC", "7252 5.9.2")]
    public async Task An_error_response_explains_the_problem(string mode, string scheme)
    {
        var server = await ServerAsync(mode, "127.0.0.1");
        var uri = await server.BaseAsync(scheme, "127.0.0.1");

        var unknownPath = await LibcoapClient.RunAsync("get", $"{uri}/nothing");
        var unknownMethod = await LibcoapClient.RunAsync("delete", $"{uri}/hello");
        var unknownOption = await LibcoapClient.RunAsync("get", $"{uri}/hello", "-O", "65001,x");
        var wrongQuery = await LibcoapClient.RunAsync("get", $"{uri}/large?size=many");

        string[] codes = [unknownPath.Code, unknownMethod.Code, unknownOption.Code, wrongQuery.Code];
        codes.Should().Equal("4.04", "4.05", "4.02", "4.00");
    }

    private Task<Server> ServerAsync(string mode, string address)
    {
        Needed.Programs(Needed.CoapClient);
        Needed.Address(address);
        return servers.GetAsync(mode);
    }
}
