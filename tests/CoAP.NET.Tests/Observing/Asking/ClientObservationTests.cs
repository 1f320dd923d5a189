using CoAP.Options;

namespace CoAP.Tests.Observing;

/// <summary>A client of the user's that observes over datagrams, sync and async, and takes up what an earlier one has left.</summary>
public sealed class ClientObservationTests : IAsyncDisposable
{
    private const string Uri = "coap://server/temperature";

    private readonly InMemoryNetwork _network = new();
    private readonly InMemorySubscriptionStore _store = new();
    private readonly ObservedThing _server;
    private readonly CoapClient _client;

    public ClientObservationTests()
    {
        _server = new ObservedThing(_network);
        _client = NewClient();
    }

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        _server.Dispose();
    }

    [Fact]
    [Trait("RFC", "7641 3.6")]
    public async Task An_async_loop_reads_states_and_leaving_it_deregisters()
    {
        var read = new List<string>();
        await foreach (var notification in _client.ObserveAsync(Uri))
        {
            read.Add(notification.Response.PayloadText);
            if (read.Count == 3) { break; }
            _server.Notify();
        }

        read.Should().Equal("1", "2", "3");
        (await _server.DeregisteredAsync()).Should().BeTrue();
    }

    [Fact]
    [Trait("RFC", "7641 3.6")]
    public async Task A_blocking_loop_reads_states_shows_its_own_and_deregisters_when_it_ends()
    {
        var read = new List<string>();
        var observation = _client.Observe(new CoapRequest(RequestCode.Fetch, Uri) { Payload = new byte[] { 1 } });
        foreach (var notification in observation)
        {
            read.Add(notification.Response.PayloadText);
            observation.Observation.State.Should().Be(ObservationState.Active);
            if (read.Count == 3) { break; }
            _server.Notify();
        }

        read.Should().Equal("1", "2", "3");
        observation.Observation.EndReason.Should().Be(ObservationEnd.Canceled);
        (await _server.DeregisteredAsync()).Should().BeTrue();
    }

    [Fact]
    public void A_blocked_reader_is_woken_by_its_token()
    {
        using var cancel = new CancellationTokenSource();
        var reading = () =>
        {
            foreach (var _ in _client.Observe(Uri, cancel.Token)) { cancel.Cancel(); }
        };

        reading.Should().Throw<OperationCanceledException>();
    }

    [Fact]
    public void A_blocked_reader_is_woken_by_the_end_of_the_client()
    {
        var reading = () =>
        {
            foreach (var notification in _client.Observe(Uri)) { _ = Task.Run(_client.Dispose); }
        };

        reading.Should().Throw<CoapTransportException>();
    }

    [Fact]
    public async Task Changes_of_the_state_are_told_away_from_the_reader()
    {
        var observation = _client.ObserveAsync(Uri);
        var ended = new TaskCompletionSource();
        observation.StateChanged += (sender, _) =>
        {
            if (((CoapObservation)sender!).State == ObservationState.Ended) { ended.SetResult(); }
            throw new InvalidOperationException("A handler that fails harms nobody.");
        };

        await foreach (var _ in observation) { break; }

        await ended.Task.WaitAsync(TimeSpan.FromMinutes(1));
    }

    [Fact]
    public async Task An_observation_is_read_once()
    {
        var observation = _client.ObserveAsync(Uri);
        await foreach (var _ in observation) { break; }

        var again = async () => await observation.GetAsyncEnumerator().MoveNextAsync();

        await again.Should().ThrowAsync<InvalidOperationException>();
    }

    [Fact]
    public void A_request_that_cannot_be_observed_is_refused()
    {
        var observing = (CoapRequest request) => () => _client.ObserveAsync(request);

        observing(new CoapRequest(RequestCode.Put, Uri)).Should().Throw<ArgumentException>();
        observing(new CoapRequest(RequestCode.Get, Uri) { Options = [new Observe(0)] }).Should().Throw<ArgumentException>();
        observing(new CoapRequest(RequestCode.Get, "coap:")).Should().Throw<FormatException>();
        _client.Observe(new CoapRequest(RequestCode.Get)).Invoking(observation => observation.First()).Should().Throw<ArgumentException>();
    }

    [Fact]
    public async Task A_suspended_observation_is_resumed_by_the_next_client_with_the_same_token()
    {
        var observation = _client.ObserveAsync(Uri);
        await foreach (var _ in observation) { observation.Suspend(); }
        var token = _server.Token;
        await _client.DisposeAsync();
        await using var next = NewClient();

        var restored = next.RestoreObservations().Should().ContainSingle().Subject;
        await foreach (var _ in restored) { break; }

        _server.Token.Should().Be(token);
        _store.List().Should().BeEmpty("it was left for good");
    }

    [Fact]
    public async Task A_loop_that_was_left_leaves_nothing_in_the_store_and_one_that_the_client_ended_does()
    {
        await foreach (var _ in _client.ObserveAsync(Uri))
        {
            _store.List().Should().ContainSingle();
            break;
        }
        _store.List().Should().BeEmpty();

        var reading = async () =>
        {
            await foreach (var notification in _client.ObserveAsync(Uri)) { _ = _client.DisposeAsync().AsTask(); }
        };
        await reading.Should().ThrowAsync<CoapTransportException>();
        _store.List().Should().ContainSingle();
    }

    private CoapClient NewClient() => new(new CoapClientSettings { Network = _network, ClientObservations = new() { Store = _store, MaxQueuedNotifications = 4 } });
}
