using CoAP.Tests.Streams;
using CoAP.TestSupport;

namespace CoAP.Tests.Observing;

/// <summary><see cref="CoapClientSettings.Timeout"/> limits the registration of an observation, and nothing after it.</summary>
public sealed class RegistrationTimeoutTests : IAsyncDisposable
{
    private const string Datagrams = "coap://server/temperature";
    private const string Stream = "coap+tcp://raw-server/hi";

    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(1);

    private readonly ManualClock _time = new();
    private readonly InMemoryNetwork _network;
    private readonly CoapClient _client;

    public RegistrationTimeoutTests()
    {
        _network = new InMemoryNetwork(_time);
        _client = new CoapClient(new CoapClientSettings
        {
            Network = _network,
            TimeProvider = _time,
            LaneForm = LaneForm.ThreadPool,
            Timeout = Limit,
            // The clock runs ahead of the threads, so no other limit may be near.
            Stream = new() { CsmTimeout = TimeSpan.FromHours(1) },
            Reconnect = new() { InitialDelay = TimeSpan.FromHours(1), MaxDelay = TimeSpan.FromHours(1), MaxRequestWait = TimeSpan.FromHours(2) },
        });
    }

    public async ValueTask DisposeAsync() => await _time.PassAsync(_client.DisposeAsync().AsTask());

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_silent_server_over_datagrams(bool isSync)
    {
        using var silent = _network.OpenDatagrams(PeerIdentity.From("server"));

        var error = await FailAsync(isSync, Datagrams);

        error.Should().BeEquivalentTo(new { AwaitedEvent = AwaitedEvent.Acknowledgement, Peer = "server", Request = $"GET {Datagrams}", Elapsed = Limit });
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_server_that_sends_no_CSM(bool isSync)
    {
        using var server = new RawServer(_network);

        var error = await FailAsync(isSync, Stream);

        error.Should().BeEquivalentTo(new { Request = $"GET {Stream}", Elapsed = Limit });
        error.Peer.Should().StartWith("raw-server");
    }

    [Theory, InlineData(false), InlineData(true)]
    [Trait("RFC", "7641 3.6")]
    public async Task A_server_that_is_late_over_a_connection_is_deregistered(bool isSync)
    {
        using var server = new RawServer(_network);
        var reading = FailAsync(isSync, Stream);
        using var peer = await _time.PassAsync(server.OpenAsync());
        var registration = (await peer.ReadAsync())!;

        var error = await reading;
        var last = (await _time.PassAsync(peer.ReadAsync()))!;

        error.AwaitedEvent.Should().Be(AwaitedEvent.Response);
        registration.Should().EndWith("30" + "52" + "6869", "Observe is empty: 0, register");
        last.Should().EndWith("3101" + "52" + "6869", "Observe is 1, deregister");
    }

    [Theory, InlineData(false), InlineData(true)]
    [Trait("RFC", "7641 3.6")]
    public async Task A_server_that_is_late_over_datagrams_is_deregistered(bool isSync)
    {
        using var server = new ObservedThing(_network) { AnswersLate = true };

        var error = await FailAsync(isSync, Datagrams);
        server.Notify();

        error.Elapsed.Should().Be(Limit);
        (await server.DeregisteredAsync()).Should().BeTrue();
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task The_wait_behind_NSTART(bool isSync)
    {
        using var silent = _network.OpenDatagrams(PeerIdentity.From("server"));
        var other = _client.SendAsync(new CoapRequest(RequestCode.Get, "coap://server/x") { Timeout = Timeout.InfiniteTimeSpan }).AsTask();

        var error = await FailAsync(isSync, Datagrams);

        error.Should().BeEquivalentTo(new { AwaitedEvent = AwaitedEvent.Turn, Attempts = 0, Elapsed = Limit });
        await _time.PassAsync(Record.ExceptionAsync(() => other));
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task The_wait_for_the_next_attempt_to_connect(bool isSync)
    {
        await Record.ExceptionAsync(() => _client.GetAsync(Stream).AsTask());

        var error = await FailAsync(isSync, Stream);

        error.AwaitedEvent.Should().Be(AwaitedEvent.Connection);
        error.InnerException.Should().BeNull();
        error.Peer.Should().StartWith("raw-server");
    }

    [Fact]
    public async Task An_observation_that_is_registered_has_no_limit()
    {
        using var server = new ObservedThing(_network);
        var observation = _client.ObserveAsync(Datagrams);
        _time.Advance(10 * Limit);      // the limit begins with the reading
        await using var reading = observation.GetAsyncEnumerator();
        (await _time.PassAsync(reading.MoveNextAsync().AsTask())).Should().BeTrue();

        var next = reading.MoveNextAsync().AsTask();
        await _time.PassAsync(next, 20 * Limit);
        next.IsCompleted.Should().BeFalse();
        server.Notify();

        (await _time.PassAsync(next)).Should().BeTrue();
        observation.State.Should().NotBe(ObservationState.Ended);
    }

    private async Task<CoapTimeoutException> FailAsync(bool isSync, string uri)
    {
        var blocking = isSync ? _client.Observe(uri) : null;
        var observation = blocking?.Observation ?? _client.ObserveAsync(uri);
        _time.Advance(10 * Limit);      // the registration and its limit begin with the reading
        var begun = _time.Elapsed;
        var reading = blocking is null
            ? ReadAsync(observation)
            : Task.Factory.StartNew(() => Read(blocking), default, TaskCreationOptions.LongRunning, TaskScheduler.Default);

        await _time.PassAsync(Task.WhenAny(reading));
        var error = await Record.ExceptionAsync(() => reading);

        (_time.Elapsed - begun).Should().BeGreaterThanOrEqualTo(Limit);
        observation.EndReason.Should().Be(ObservationEnd.Failed);
        observation.LastError.Should().BeSameAs(error);
        error!.Message.Should().Contain("Timeout").And.Contain(uri);
        return error.Should().BeOfType<CoapTimeoutException>().Which;
    }

    private static async Task ReadAsync(CoapObservation observation)
    {
        await foreach (var notification in observation) { Assert.Fail($"{notification} is not expected."); }
    }

    private static void Read(BlockingObservation observation)
    {
        foreach (var notification in observation) { Assert.Fail($"{notification} is not expected."); }
    }
}
