using System.Text.Json;

namespace CoAP.Tool.Tests.Keys;

public sealed class PskCommandTests
{
    [Fact]
    public async Task Prints_the_key_as_the_argument_psk_takes_it()
    {
        var run = await ToolRun.OfAsync("keygen", "psk", "--identity", "pump-7");

        run.Should().BeEquivalentTo(new { ExitCode = 0, Error = "" });
        run.Output.Should().MatchRegex("^pump-7:0x[0-9a-f]{32}\r?\n$");
    }

    [Fact]
    public async Task A_longer_key_has_32_bytes() =>
        (await ToolRun.OfAsync("keygen", "psk", "--length", "32")).Output.Trim().Should().MatchRegex("^client-[0-9a-f]{8}:0x[0-9a-f]{64}$");

    [Fact]
    public async Task Two_keys_differ()
    {
        var (one, other) = (await ToolRun.OfAsync("keygen", "psk"), await ToolRun.OfAsync("keygen", "psk"));

        one.Output.Split(':')[1].Should().NotBe(other.Output.Split(':')[1]);
    }

    [Fact]
    public async Task Prints_JSON_for_scripts()
    {
        var run = await ToolRun.OfAsync("keygen", "psk", "--identity", "pump-7", "--json");

        using var json = JsonDocument.Parse(run.Output);
        json.RootElement.GetProperty("identity").GetString().Should().Be("pump-7");
        json.RootElement.GetProperty("key").GetString().Should().MatchRegex("^0x[0-9a-f]{32}$");
    }

    [Theory]
    [InlineData("--identity", "a:b", "colon")]
    [InlineData("--length", "8", "Must be one of: '16' '32'")]
    public async Task Refuses_what_the_argument_psk_cannot_take(string option, string value, string reason)
    {
        var run = await ToolRun.OfAsync("keygen", "psk", option, value);

        run.ExitCode.Should().Be(2);
        run.Output.Should().BeEmpty();
        run.Error.Should().Contain(reason);
    }
}
