namespace CoAP.Tool.Tests.Serving;

[Trait("Category", "Loopback")]
[Collection("Loopback")]
public sealed class ServeCommandTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Prints_the_bound_addresses_logs_requests_and_ends_with_success()
    {
        _folder.Write("a\u001b.txt", "content");
        await using var tool = new RunningTool("serve", _folder.Path, "--listen", "coap://127.0.0.1:0", "--listen", "coap+tcp://127.0.0.1:0", "--verbose");
        var (udp, tcp) = (await tool.AddressAsync("coap://"), await tool.AddressAsync("coap+tcp://"));
        await using var client = new CoapClient();

        (await client.GetAsync($"{udp}/a%1B.txt")).PayloadText.Should().Be("content");
        (await client.GetAsync($"{tcp}/none")).Code.Should().Be(ResponseCode.NotFound);
        await tool.LogsAsync("/none");
        var run = await tool.StopAsync();

        run.ExitCode.Should().Be(0);
        run.Output.Should().Contain($"serving {_folder.Path} (read only)");
        run.Error.Should().MatchRegex(@"127\.0\.0\.1:\d+ GET /a\\u001b\.txt 2\.05 7 B").And.MatchRegex(@"GET /none 4\.04").And.NotContain("\u001b");
    }

    [SkippableFact]
    public async Task Serves_coaps_with_a_key_of_keygen()
    {
        Skip.IfNot(DtlsPlatform.IsSupported, DtlsPlatform.Describe());
        _folder.Write("a.txt", "content");
        var key = (await ToolRun.OfAsync("keygen", "psk")).Output.Trim();
        await using var tool = new RunningTool("serve", _folder.Path, "--listen", "coaps://127.0.0.1:0", "--psk", key, "--write");
        var address = await tool.AddressAsync("coaps://");

        (await ToolRun.OfAsync("get", $"{address}/a.txt", "--psk", key)).Output.Should().Be("content");
        await tool.LogsAsync("/a.txt");
        var run = await tool.StopAsync();

        run.Error.Should().Contain($"(key {key.Split(':')[0]})");
    }

    [Theory]
    [InlineData("no folder", "none")]
    [InlineData("coaps needs a key", "", "--listen", "coaps://127.0.0.1:0")]
    [InlineData("coaps+tcp needs --cert", "", "--listen", "coaps+tcp://127.0.0.1:0")]
    [InlineData("--psk is for coaps", "", "--psk", "a:0x00")]
    [InlineData("together", "", "--cert", "a.pem")]
    [InlineData("has no scheme", "", "--listen", "localhost")]
    [InlineData("not a size", "", "--write", "--max-size", "big")]
    public async Task Wrong_arguments_are_one_line(string reason, string folder, params string[] arguments)
    {
        var run = await ToolRun.OfAsync(["serve", _folder[folder], .. arguments]);

        run.ExitCode.Should().Be(2);
        run.Output.Should().BeEmpty();
        run.Error.Should().Contain(reason).And.NotContain("   at ");
    }

    [Fact]
    public async Task An_address_in_use_is_an_error()
    {
        await using var server = new ToolServer(static _ => { });

        var run = await ToolRun.OfAsync("serve", _folder.Path, "--listen", server.Udp);

        run.ExitCode.Should().Be(2);
        run.Error.Should().StartWith("coap: ");
    }
}
