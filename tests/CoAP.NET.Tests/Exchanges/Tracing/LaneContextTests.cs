using System.Diagnostics;

namespace CoAP.Tests.Exchanges.Tracing;

/// <summary>The threads of lanes and the execution context of those who start them.</summary>
public sealed class LaneContextTests
{
    private static readonly AsyncLocal<string?> Ambient = new();

    // A lane outlives the call that has started it, and serves everybody.
    [Fact]
    public async Task A_lane_does_not_run_in_the_context_of_its_starter()
    {
        var network = new InMemoryNetwork(TimeProvider.System);
        using var outer = new Activity("outer").SetIdFormat(ActivityIdFormat.W3C).Start();
        Ambient.Value = "starter";
        await using var server = new CoapServer(new() { Network = network, Endpoints = [ServerEndpoint.InMemory("server")] });
        server.Resources.At("a").Get(Read, HandlerMode.Inline);
        server.Start();
        await using var client = new CoapClient(new() { Network = network });

        var response = await client.GetAsync("coap://server/a");

        response.PayloadText.Should().Be("|False");

        CoapResponse Read(IncomingRequest request) => Response.Content($"{Ambient.Value}|{Activity.Current?.TraceId == outer.TraceId}");
    }
}
