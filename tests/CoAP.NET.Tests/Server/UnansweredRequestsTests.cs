using CoAP.TestSupport;
using Microsoft.Extensions.Logging;

namespace CoAP.Tests.Server;

/// <summary>Requests that a server drops when it stops.</summary>
public sealed class UnansweredRequestsTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly TestLog _log = new();
    private readonly InMemoryNetwork _network = new();

    [Fact]
    public async Task Unanswered_requests_are_counted_in_one_warning()
    {
        await using var server = new CoapServer(new()
        {
            Network = _network,
            Endpoints = [ServerEndpoint.InMemory("device")],
            ShutdownTimeout = TimeSpan.FromMilliseconds(1),
            LoggerFactory = _log,
        });
        using var entered = new CountdownEvent(2);
        server.Resources.At("slow/{id}").Get(async (_, _) =>
        {
            entered.Signal();
            await Task.Delay(Timeout.InfiniteTimeSpan, CancellationToken.None);
            return Response.Changed;
        });
        server.Start();
        await using var client = new CoapClient(new() { Network = _network, Transmission = new() { NStart = 2 } });
        _ = client.GetAsync("coap://device/slow/1").AsTask();
        _ = client.GetAsync("coap+tcp://device/slow/2").AsTask();
        entered.Wait(Patience).Should().BeTrue();
        // The lane counts a request as unanswered when its handler has returned.
        while (server.Lanes.Sum(static lane => lane.PendingRequests) < 2) { await Task.Yield(); }

        await server.StopAsync().WaitAsync(Patience);

        _log.Lines(LogLevel.Warning).Should().ContainSingle().Which.Should().StartWith("The endpoint stops before all requests are answered (2 left)");
    }
}
