using CoAP.TestSupport;

namespace CoAP.Tests.Hostile.Malicious;

/// <summary>Servers that treat an observation as no server should: the reader is not kept waiting for the first notification, and memory is bounded.</summary>
public sealed class MaliciousObservationTests
{
    private const int MostBytes = 128 << 10;

    private static readonly TimeSpan OneHour = TimeSpan.FromHours(1);
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly Wire _wire = new(new ManualClock());
    private int _mostExchanges;
    private long _mostHeld;

    public static TheoryData<string> Names => [.. ObservationScenarios.All.Select(scenario => scenario.Name)];

    [Theory, MemberData(nameof(Names))]
    public async Task An_asynchronous_reader_gets_the_named_error_and_leaves(string name)
    {
        var scenario = ObservationScenario.Of(name);
        using var client = Client();
        using var server = Server(client, scenario);
        var observation = client.ChannelTo(_wire.Server).ObserveAsync("/x");
        var notifications = observation.GetAsyncEnumerator();

        var first = notifications.MoveNextAsync().AsTask();
        var elapsed = RunUntilRead(observation);
        var error = await Record.ExceptionAsync(() => first.WaitAsync(Patience));
        scenario.First.Check(error, error is null ? notifications.Current.Response : null, elapsed);
        _wire.RunFor(OneHour - elapsed);
        CheckState(scenario, observation, server);
        await notifications.DisposeAsync();

        CheckMemory(client);
    }

    [Theory, MemberData(nameof(Names))]
    public void A_blocking_reader_gets_the_named_error_and_suspends(string name)
    {
        var scenario = ObservationScenario.Of(name);
        using var client = Client();
        using var server = Server(client, scenario);
        var reading = client.ChannelTo(_wire.Server).Observe("/x");
        using var notifications = reading.GetEnumerator();
        Exception? error = null;
        var thread = new Thread(() => error = Record.Exception(() => { notifications.MoveNext(); }));

        client.DiscardWork();
        thread.Start();
        client.AwaitWork();
        var elapsed = RunUntilRead(reading.Observation);
        thread.Join(Patience).Should().BeTrue("the reader must not wait for ever");
        scenario.First.Check(error, error is null ? notifications.Current.Response : null, elapsed);
        _wire.RunFor(OneHour - elapsed);
        CheckState(scenario, reading.Observation, server);
        reading.Observation.Suspend();

        CheckMemory(client);
    }

    private TimeSpan RunUntilRead(CoapObservation observation)
    {
        var feed = observation.Context.Feed;
        _wire.RunUntil(() => feed.HasPublished || feed.State == ObservationState.Ended, OneHour).Should().BeTrue("the reader must not wait for ever");
        return _wire.Time.Elapsed;
    }

    private MaliciousServer Server(LaneEnd client, ObservationScenario scenario) => new(_wire, (server, request) =>
    {
        _mostExchanges = Math.Max(_mostExchanges, client.Lane.Exchanges.Count);
        _mostHeld = Math.Max(_mostHeld, client.HeldResponseBytes);
        scenario.React(server, request);
    });

    private static void CheckState(ObservationScenario scenario, CoapObservation observation, MaliciousServer server)
    {
        observation.EndReason.Should().Be(scenario.Reason);
        server.Count.Should().BeLessThanOrEqualTo(scenario.MostRequests);
    }

    // The server may go on after the end of the observation.
    private void CheckMemory(LaneEnd client)
    {
        _wire.RunFor(TimeSpan.FromMinutes(10));
        client.Leftovers.Should().StartWith("0 exchanges, 0 unsettled messages, 0 pending requests");
        client.HeldResponseBytes.Should().Be(0);
        _mostHeld.Should().BeLessThanOrEqualTo(MostBytes);
        _mostExchanges.Should().BeLessThanOrEqualTo(4);
    }

    private LaneEnd Client() => LaneEnd.Client(_wire, new CoapClientSettings
    {
        ClientTransfers = new() { MaxResponseBody = MostBytes, MaxTotalResponseSize = MostBytes },
    });
}
