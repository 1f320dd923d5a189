using CoAP.TestSupport;

namespace CoAP.Tests.Hostile.Malicious;

/// <summary>Servers that act over a connection as no server should. Each call ends in bounded simulated time, with the named error, and leaves nothing behind.</summary>
public sealed class MaliciousConnectionTests
{
    private const int MostBytes = 128 << 10;

    private static readonly TimeSpan Longest = TimeSpan.FromHours(1);
    private static readonly TimeSpan After = TimeSpan.FromMinutes(10);
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly Wire _wire = new(new ManualClock());
    private long _mostHeld;
    private long _mostInFlight;

    public static TheoryData<string> Names => [.. ConnectionScenario.All.Select(scenario => scenario.Name)];

    [Theory, MemberData(nameof(Names))]
    public void An_asynchronous_call_ends_in_time_with_the_named_error(string name)
    {
        var scenario = ConnectionScenario.Of(name);
        using var client = Client();
        Serve(client, scenario);

        var call = client.Send(scenario.Request());
        _wire.RunUntil(() => Measure(client) && call.IsCompleted, Longest);

        scenario.End.Check(call, _wire.Time.Elapsed);
        CheckMemory(client);
    }

    [Theory, MemberData(nameof(Names))]
    public void A_blocking_call_ends_in_time_with_the_named_error(string name)
    {
        var scenario = ConnectionScenario.Of(name);
        using var client = Client();
        Serve(client, scenario);
        (CoapResponse? Response, Exception? Error) end = default;
        var call = client.Channel.Begin(scenario.Request(), parked: true, CancellationToken.None);
        var thread = new Thread(() => end.Error = Record.Exception(() => { end.Response = call.Park(); }));

        thread.Start();
        _wire.RunUntil(() => Measure(client) && call.IsDone, Longest);

        thread.Join(Patience).Should().BeTrue("the blocked call has to end");
        scenario.End.Check(end.Error, end.Response, _wire.Time.Elapsed);
        CheckMemory(client);
    }

    private void Serve(StreamLaneEnd client, ConnectionScenario scenario) => _ = new MaliciousStream(_wire, client.PeerConnection, scenario.Open, (server, request) =>
    {
        Measure(client);
        scenario.React(server, request);
    });

    private bool Measure(StreamLaneEnd client)
    {
        _mostHeld = Math.Max(_mostHeld, client.HeldResponseBytes);
        _mostInFlight = Math.Max(_mostInFlight, client.BytesInFlight);
        return true;
    }

    // The server may go on after the end of the call.
    private void CheckMemory(StreamLaneEnd client)
    {
        _wire.RunFor(After);
        client.Leftovers.Should().Be("0 exchanges, 0 pending requests, 0 bytes in flight");
        client.HeldResponseBytes.Should().Be(0);
        _mostHeld.Should().BeLessThanOrEqualTo(MostBytes);
        _mostInFlight.Should().BeLessThanOrEqualTo(1 << 20);
    }

    private StreamLaneEnd Client() => new(_wire, new CoapClientSettings
    {
        ClientTransfers = new() { MaxResponseBody = MostBytes, MaxTotalResponseSize = MostBytes },
    });
}
