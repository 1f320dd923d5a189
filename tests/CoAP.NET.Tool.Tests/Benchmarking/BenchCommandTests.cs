using System.Text.Json;

namespace CoAP.Tool.Tests.Benchmarking;

[Trait("Category", "Loopback")]
[Collection("Loopback")]
public sealed class BenchCommandTests
{
    // On a machine under load, a response can take some hundred milliseconds.
    private static readonly string[] Short = ["--for", "1s", "--warm-up", "0", "--clients", "2", "--concurrency", "2"];

    [Theory]
    [InlineData("raw", "raw datagrams")]
    [InlineData("client", "clients of the library")]
    public async Task Counts_as_many_responses_as_the_server_has_sent(string generator, string name)
    {
        var count = 0;
        await using var server = new ToolServer(map => map.At("a").Get(_ => Count(ref count), HandlerMode.Inline));

        var run = await ToolRun.OfAsync(["bench", $"{server.Udp}/a", "--generator", generator, "--json", .. Short]);

        run.ExitCode.Should().Be(0, run.Error);
        using var json = JsonDocument.Parse(run.Output);
        json.RootElement.GetProperty("generator").GetString().Should().Be(name);
        var good = json.RootElement.GetProperty("responses").GetInt64();
        // One request checks the server first. What is answered before the measurement and after its end does not count.
        good.Should().BePositive().And.BeLessThan(count);
        json.RootElement.GetProperty("latencyMilliseconds").GetProperty("p50").GetDouble().Should().BePositive();
        json.RootElement.GetProperty("errors").EnumerateObject().Should().BeEmpty();
    }

    [Fact]
    public async Task Sends_a_payload_over_TCP_and_prints_text()
    {
        await using var server = new ToolServer(map => map.At("a").Put(request => request.Payload.Length == 100 ? Response.Changed : new CoapResponse(ResponseCode.BadRequest)));

        var run = await ToolRun.OfAsync(["bench", $"{server.Tcp}/a", "--method", "put", "--size", "100", .. Short]);

        run.ExitCode.Should().Be(0, run.Error);
        run.Output.Should().StartWith("PUT coap+tcp://").And.Contain("100 B each").And.Contain("by clients of the library")
            .And.MatchRegex(@"requests/s +[\d,]+ ").And.MatchRegex("latency ms +p50 ").And.MatchRegex("errors +none");
        run.Error.Should().BeEmpty();
    }

    [Fact]
    public async Task A_rate_limits_the_load()
    {
        await using var server = new ToolServer(map => map.At("a").Get(_ => Response.Content("a")));

        var run = await ToolRun.OfAsync(["bench", $"{server.Udp}/a", "--rate", "100", "--json", .. Short]);

        using var json = JsonDocument.Parse(run.Output);
        var due = (int)(100 * json.RootElement.GetProperty("seconds").GetDouble()) + 2;
        json.RootElement.GetProperty("responses").GetInt64().Should().BeInRange(1, due, "no more requests were due");
    }

    [Fact]
    public async Task An_error_of_the_first_response_ends_the_command()
    {
        await using var server = new ToolServer(static _ => { });

        var run = await ToolRun.OfAsync(["bench", $"{server.Udp}/none", .. Short]);

        run.Should().BeEquivalentTo(new { ExitCode = 1, Output = "" });
        run.Error.Should().Contain("4.04 Not Found");
    }

    [Fact]
    public async Task A_body_in_blocks_needs_clients()
    {
        await using var server = new ToolServer(map => map.At("large").Get(_ => Response.Content(new string('x', 2000))));

        (await ToolRun.OfAsync(["bench", $"{server.Udp}/large", .. Short])).Output.Should().Contain("by clients of the library");
        (await ToolRun.OfAsync(["bench", $"{server.Udp}/large", "--generator", "raw", .. Short])).Error.Should().Contain("2000 bytes");
    }

    [Theory]
    [InlineData("not both", "--method", "put", "--size", "1", "--payload", "a")]
    [InlineData("GET has no payload", "--payload", "a")]
    [InlineData("--clients takes a number from 1", "--clients", "0")]
    [InlineData("--for takes", "--for", "nan")]
    public async Task Wrong_arguments_are_named(string reason, params string[] arguments)
    {
        var run = await ToolRun.OfAsync(["bench", "coap://127.0.0.1/a", .. arguments]);

        run.ExitCode.Should().Be(2);
        run.Error.Should().Contain(reason);
    }

    private static CoapResponse Count(ref int count)
    {
        Interlocked.Increment(ref count);
        return Response.Content("a");
    }
}
