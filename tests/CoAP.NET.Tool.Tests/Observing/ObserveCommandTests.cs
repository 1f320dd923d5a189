using System.Text.Json;

namespace CoAP.Tool.Tests.Observing;

[Trait("Category", "Loopback")]
[Collection("Loopback")]
public sealed class ObserveCommandTests
{
    [Fact]
    public async Task Prints_one_line_of_JSON_for_each_state()
    {
        await using var server = CountingServer();

        var run = await ToolRun.OfAsync("observe", $"{server.Udp}/count", "--json", "--count", "3");

        run.ExitCode.Should().Be(0, run.Error);
        var states = run.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(static line => JsonDocument.Parse(line).RootElement).ToArray();
        states.Should().HaveCount(3).And.OnlyContain(static state => state.GetProperty("code").GetString() == "2.05");
        states.Select(static state => int.Parse(state.GetProperty("payload").GetString()!, System.Globalization.CultureInfo.InvariantCulture)).Should().BeInAscendingOrder();
    }

    [Fact]
    public async Task Shows_numbers_in_a_table_on_a_terminal()
    {
        await using var server = CountingServer();

        var run = await ToolRun.OnTerminalAsync("observe", $"{server.Tcp}/count", "--count", "3");

        run.ExitCode.Should().Be(0, run.Error);
        run.Output.Should().Contain("history").And.Contain("value").And.ContainAny("▁", "█").And.Contain("3 notifications");
    }

    [Fact]
    public async Task A_resource_that_is_not_observable_is_read_once()
    {
        await using var server = new ToolServer(static map => map.At("a").Get((_, _) => new(Response.Content("once"))));

        var run = await ToolRun.OfAsync("observe", $"{server.Udp}/a");

        run.ExitCode.Should().Be(0);
        run.Output.Should().Be("once\n");
        run.Error.Should().Contain("not observable");
    }

    [Fact]
    public async Task An_error_gives_exit_code_1()
    {
        await using var server = new ToolServer(static _ => { });

        var run = await ToolRun.OfAsync("observe", $"{server.Udp}/missing");

        run.ExitCode.Should().Be(1);
    }

    // Each state is followed by the next one as soon as it has been read.
    private static ToolServer CountingServer() => new(static map =>
    {
        var count = 0;
        MapCount(map, () => Interlocked.Increment(ref count));
    });

    private static void MapCount(ResourceMap map, Func<int> next)
    {
        Resource? resource = null;
        resource = map.At("count").Observable().Get((_, _) =>
        {
            _ = Task.Run(() => resource!.NotifyChanged(), CancellationToken.None);
            return new(Response.Content(next().ToString(System.Globalization.CultureInfo.InvariantCulture)));
        });
    }
}
