namespace CoAP.Tests.Client;

/// <summary>Observations whose requests pass steps that retry, fail or drop what they get.</summary>
public sealed class SteppedObservationTests : IDisposable
{
    private readonly SimulatedNetwork _network = new();
    private readonly InMemorySubscriptionStore _store = new();
    private readonly CoapServer _server;
    private readonly CoapClient _client;
    private readonly Resource _resource;
    private int _registered;

    public SteppedObservationTests()
    {
        _server = new CoapServer(_network.Place(new CoapServerSettings(), "server"));
        _resource = _server.Resources.At("x").Observable();
        _resource.Get((_, _) =>
        {
            _registered++;
            return new(Response.Content("here"));
        });
        _server.Start();
        _client = new CoapClient(_network.Place(
            new CoapClientSettings
            {
                Transmission = new() { MaxRetransmit = 0 },
                ClientObservations = new() { Store = _store },
                BaseUri = "coap://server/",
            },
            "client"));
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }

    [Fact]
    public void A_step_that_fails_after_the_registration_leaves_no_observer_behind()
    {
        _client.Use(RequestStep.Of("failing", ask: static (request, next, stop) =>
        {
            next.Ask(request, stop);
            throw new InvalidDataException("The answer is not signed.");
        }));
        var observation = _client.Observe("x");

        observation.Invoking(static one => one.ToList()).Should().Throw<InvalidDataException>();
        _network.RunUntilIdle();

        (observation.Observation.State, observation.Observation.EndReason).Should().Be((ObservationState.Ended, ObservationEnd.Failed));
        _resource.ObserverCount.Should().Be(0);
    }

    [Fact]
    public void Reading_the_state_once_through_a_step_registers_nothing()
    {
        _client.Use(RequestStep.Of("passing", ask: static (request, next, stop) => next.Ask(request, stop)));

        _client.Send(_client.ObserveAsync("x").Request).PayloadText.Should().Be("here");

        _resource.ObserverCount.Should().Be(0);
    }

    [Fact]
    public void Between_attempts_an_observation_is_registering_and_raises_no_end()
    {
        var (states, changes) = (new List<ObservationState>(), new List<ObservationState>());
        CoapObservation? observed = null;
        _client.Use(RequestStep.Of("retrying", ask: (request, next, stop) =>
        {
            try { return next.Ask(request, stop); }
            catch (CoapTimeoutException) { states.Add(observed!.State); }
            return next.Ask(request, stop);
        }));
        _network.Drop("client", "server");
        var observation = _client.Observe("x");
        observed = observation.Observation;
        observed.StateChanged += (_, _) => changes.Add(observed.State);

        observation.First().Response.PayloadText.Should().Be("here");
        _network.RunUntilIdle();

        states.Should().Equal(ObservationState.Registering);
        changes.Should().NotContain(ObservationState.Registering).And.OnlyHaveUniqueItems("the end comes once");
        observed.LastError.Should().BeOfType<CoapTimeoutException>();
    }

    [Fact]
    public void A_stored_observation_stays_stored_over_a_retry_and_is_removed_when_its_reader_leaves()
    {
        _client.Use(RequestStep.Of("retrying", ask: static (request, next, stop) =>
        {
            try { return next.Ask(request, stop); }
            catch (CoapTimeoutException) { return next.Ask(request, stop); }
        }));
        foreach (var _ in _client.Observe("x"))
        {
            var stored = _store.List().Should().ContainSingle().Which;
            stored.Uri.Should().Be("x", "it is stored as the user wrote it");
            break;
        }
        _store.List().Should().BeEmpty();

        _store.Save(new StoredSubscription("x", RequestCode.Get, new Token(new byte[] { 1, 2, 3 })));
        _network.Drop("client", "server");
        foreach (var _ in new BlockingReading(_client.RestoreObservations().Single()))
        {
            _store.List().Should().ContainSingle();
            break;
        }

        _store.List().Should().BeEmpty();
    }

    [Fact]
    public void A_suspended_observation_ends_while_a_step_waits()
    {
        CoapObservation? observed = null;
        _client.Use(RequestStep.Of("waiting", ask: (request, next, stop) =>
        {
            observed!.Suspend();
            stop.ThrowIfCancellationRequested();
            return next.Ask(request, stop);
        }));
        var observation = _client.Observe("x");
        observed = observation.Observation;

        observation.Should().BeEmpty();

        (observed.State, observed.EndReason).Should().Be((ObservationState.Ended, ObservationEnd.Suspended));
        _registered.Should().Be(0);
    }

    [Fact]
    public void An_observation_that_is_suspended_before_it_is_read_sends_nothing()
    {
        var observation = _client.Observe("x");
        observation.Observation.Suspend();

        observation.Should().BeEmpty();

        observation.Observation.EndReason.Should().Be(ObservationEnd.Suspended);
        _network.Transcript.Should().BeEmpty();
    }

    [Fact]
    public void A_canceled_token_registers_nothing()
    {
        var observation = _client.Observe("x", new CancellationToken(canceled: true));

        observation.Invoking(static one => one.ToList()).Should().Throw<OperationCanceledException>();

        observation.Observation.EndReason.Should().Be(ObservationEnd.Canceled);
        _network.Transcript.Should().BeEmpty();
    }

    [Fact]
    public void A_changed_notification_keeps_its_sequence()
    {
        _client.Use(RequestStep.Of("changing", ask: static (request, next, stop) =>
            next.Ask(request, stop).Map(static answer => Response.Content(answer.PayloadText.ToUpperInvariant()))));

        var first = _client.Observe("x").First();

        first.Response.PayloadText.Should().Be("HERE");
        first.Sequence.Should().NotBeNull();
    }

    [Fact]
    public void Answers_that_were_disposed_of_return_nothing_and_the_observer_goes()
    {
        var answers = _client.Ask(_client.ObserveAsync("x").Request);
        answers.First!.PayloadText.Should().Be("here");
        _resource.ObserverCount.Should().Be(1);

        answers.Dispose();
        _network.RunUntilIdle();

        answers.Next().Should().BeNull();
        _resource.ObserverCount.Should().Be(0);
    }

    [Theory]
    [InlineData("sensors/a:b"), InlineData("coapthing/x:y")]
    public void A_relative_URI_with_a_colon_is_no_wrong_scheme(string uri)
    {
        var observing = () => _client.ObserveAsync(uri);

        observing.Should().NotThrow();
    }

    private sealed class BlockingReading(CoapObservation observation) : IEnumerable<Notification>
    {
        public IEnumerator<Notification> GetEnumerator() => observation.GetBlockingEnumerator();

        System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => GetEnumerator();
    }
}
