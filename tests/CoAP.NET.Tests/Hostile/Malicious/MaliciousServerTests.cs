using CoAP.TestSupport;

namespace CoAP.Tests.Hostile.Malicious;

/// <summary>Servers that answer over datagrams as no server should. Each call ends in bounded simulated time, with the named error, and leaves nothing behind.</summary>
public sealed class MaliciousServerTests
{
    private const int MostBytes = 128 << 10;

    private static readonly TimeSpan Longest = TimeSpan.FromHours(1);
    private static readonly TimeSpan After = TimeSpan.FromMinutes(10);
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly Wire _wire = new(new ManualClock());
    private int _mostExchanges;
    private long _mostHeld;

    public static TheoryData<string> Names => [.. MaliciousScenario.All.Select(scenario => scenario.Name)];

    [Fact]
    public void Each_scenario_has_a_name_of_its_own_and_there_are_more_than_a_hundred()
    {
        string[] names =
        [
            .. MaliciousScenario.All.Select(one => one.Name), .. ConnectionScenario.All.Select(one => one.Name),
            .. ObservationScenarios.All.Select(one => one.Name), .. StreamObservationScenarios.All.Select(one => one.Name),
        ];

        names.Should().OnlyHaveUniqueItems().And.HaveCountGreaterThan(100);
    }

    [Theory, MemberData(nameof(Names))]
    public void An_asynchronous_call_ends_in_time_with_the_named_error(string name)
    {
        var scenario = MaliciousScenario.Of(name);
        using var client = Client(RobustMode.Off);
        using var server = Server(client, scenario);

        var call = client.Send(scenario.Request());
        _wire.RunUntil(() => call.IsCompleted, Longest);

        scenario.End.Check(call, _wire.Time.Elapsed);
        CheckMemory(client);
    }

    [Theory, MemberData(nameof(Names))]
    public void A_blocking_call_ends_in_time_with_the_named_error(string name)
    {
        var scenario = MaliciousScenario.Of(name);
        using var client = Client(RobustMode.Off);
        using var server = Server(client, scenario);
        (CoapResponse? Response, Exception? Error) end = default;
        var thread = new Thread(() => end.Error = Record.Exception(() => { end.Response = client.ChannelTo(_wire.Server).Send(scenario.Request()); }));

        thread.Start();
        client.AwaitWork();
        _wire.RunUntil(() => client.Lane.Exchanges.Count == 0 && server.Count > 0, Longest);
        var elapsed = _wire.Time.Elapsed;

        thread.Join(Patience).Should().BeTrue("the blocked call has to end");
        scenario.End.Check(end.Error, end.Response, elapsed);
        CheckMemory(client);
    }

    [Theory, MemberData(nameof(Names))]
    public void A_call_that_tries_robust_transfers_ends_in_time(string name)
    {
        var scenario = MaliciousScenario.Of(name);
        using var client = Client(RobustMode.WhenSupported);
        using var server = Server(client, scenario);

        var call = client.Send(scenario.Request());
        _wire.RunUntil(() => call.IsCompleted, Longest);

        call.IsCompleted.Should().BeTrue("the call must not wait for ever");
        if (call.IsFaulted) { call.Exception!.InnerException.Should().BeAssignableTo<CoapException>(); }
        CheckMemory(client);
    }

    private MaliciousServer Server(LaneEnd client, MaliciousScenario scenario) => new(_wire, (server, request) =>
    {
        _mostExchanges = Math.Max(_mostExchanges, client.Lane.Exchanges.Count);
        _mostHeld = Math.Max(_mostHeld, client.HeldResponseBytes);
        scenario.React(server, request);
    });

    // The server may go on after the end of the call.
    private void CheckMemory(LaneEnd client)
    {
        _wire.RunFor(After);
        client.Leftovers.Should().StartWith("0 exchanges, 0 unsettled messages, 0 pending requests");
        client.HeldResponseBytes.Should().Be(0);
        client.BodiesUnderWay.Should().Be(0);
        _mostHeld.Should().BeLessThanOrEqualTo(MostBytes);
        _mostExchanges.Should().BeLessThanOrEqualTo(2);
    }

    private LaneEnd Client(RobustMode mode) => LaneEnd.Client(_wire, new CoapClientSettings
    {
        ClientTransfers = new() { MaxResponseBody = MostBytes, MaxTotalResponseSize = MostBytes, RobustMode = mode },
    });
}
