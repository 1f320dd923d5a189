using CoAP.TestSupport;

namespace CoAP.Tests.Hostile.Malicious;

/// <summary>Servers that treat an observation over a connection as no server should.</summary>
public sealed class MaliciousStreamObservationTests
{
    private const int MostBytes = 128 << 10;

    private static readonly TimeSpan OneHour = TimeSpan.FromHours(1);
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly Wire _wire = new(new ManualClock());

    public static TheoryData<string> Names => [.. StreamObservationScenarios.All.Select(scenario => scenario.Name)];

    [Theory, MemberData(nameof(Names))]
    public async Task An_asynchronous_reader_gets_the_named_error_and_leaves(string name)
    {
        var scenario = StreamObservationScenarios.Of(name);
        using var client = Client(scenario);
        var observation = client.Channel.ObserveAsync("/x");
        var notifications = observation.GetAsyncEnumerator();

        var first = notifications.MoveNextAsync().AsTask();
        var elapsed = RunUntilRead(observation);
        var error = await Record.ExceptionAsync(() => first.WaitAsync(Patience));
        scenario.First.Check(error, error is null ? notifications.Current.Response : null, elapsed);
        _wire.RunFor(OneHour);
        await notifications.DisposeAsync();

        CheckMemory(client);
    }

    [Theory, MemberData(nameof(Names))]
    public void A_blocking_reader_gets_the_named_error_and_suspends(string name)
    {
        var scenario = StreamObservationScenarios.Of(name);
        using var client = Client(scenario);
        var reading = client.Channel.Observe("/x");
        using var notifications = reading.GetEnumerator();
        Exception? error = null;
        var thread = new Thread(() => error = Record.Exception(() => { notifications.MoveNext(); }));

        client.DiscardWork();
        thread.Start();
        client.AwaitWork();
        var elapsed = RunUntilRead(reading.Observation);
        thread.Join(Patience).Should().BeTrue("the reader must not wait for ever");
        scenario.First.Check(error, error is null ? notifications.Current.Response : null, elapsed);
        _wire.RunFor(OneHour);
        reading.Observation.Suspend();

        CheckMemory(client);
    }

    private TimeSpan RunUntilRead(CoapObservation observation)
    {
        var feed = observation.Context.Feed;
        _wire.RunUntil(() => feed.HasPublished || feed.State == ObservationState.Ended, OneHour).Should().BeTrue("the reader must not wait for ever");
        return _wire.Time.Elapsed;
    }

    private void CheckMemory(StreamLaneEnd client)
    {
        _wire.RunFor(TimeSpan.FromMinutes(10));
        client.Leftovers.Should().Be("0 exchanges, 0 pending requests, 0 bytes in flight");
        client.HeldResponseBytes.Should().Be(0);
    }

    private StreamLaneEnd Client(StreamObservationScenario scenario)
    {
        var client = new StreamLaneEnd(_wire, new CoapClientSettings
        {
            ClientTransfers = new() { MaxResponseBody = MostBytes, MaxTotalResponseSize = MostBytes },
        });
        _ = new MaliciousStream(_wire, client.PeerConnection, ConnectionScenario.Csm, scenario.React);
        return client;
    }
}
