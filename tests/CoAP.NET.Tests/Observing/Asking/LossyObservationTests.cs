using System.Globalization;
using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Observing;

/// <summary>Our client and our server over a bad wire: what the client sees is never older than what it saw, and in the end what there is (RFC 7641, section 1.3).</summary>
public sealed class LossyObservationTests
{
    [Theory, Trait("RFC", "7641 1.3")]
    [InlineData(true), InlineData(false)]
    public void The_client_ends_with_the_state_of_the_server_and_nothing_is_left(bool confirmable)
    {
        for (var seed = 1; seed <= 60; seed++)
        {
            var (read, last, left) = Run(seed, confirmable);

            read.Should().BeInAscendingOrder("seed {0}", seed).And.OnlyHaveUniqueItems("seed {0}", seed);
            read[^1].Should().Be(last, "seed {0}", seed);
            left.Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines", "seed {0}", seed);
        }
    }

    [Fact]
    public void The_same_seed_gives_the_same_run()
    {
        Run(seed: 7, confirmable: true).Read.Should().Equal(Run(seed: 7, confirmable: true).Read);
    }

    private static (List<int> Read, int Last, string Left) Run(int seed, bool confirmable)
    {
        var wire = new Wire(new ManualClock(), seed)
        {
            Loss = 0.2,
            Duplication = 0.1,
            Latency = TimeSpan.FromMilliseconds(20),
            Jitter = TimeSpan.FromMilliseconds(300),
        };
        var (state, read, resource) = (0, new List<int>(), (Resource?)null);
        using var server = LaneEnd.Server(
            wire, map => resource = map.At("count").Observable(confirmable).Get(_ => Count(state), HandlerMode.Inline));
        using var client = LaneEnd.Client(wire, new CoapClientSettings { ClientObservations = new() { MaxQueuedNotifications = 64 } });
        var observation = BeginUntilActive(wire, client);
        for (var random = new Random(seed); state < 40;)
        {
            state++;
            resource!.NotifyChanged();
            wire.RunFor(TimeSpan.FromSeconds(random.NextDouble() * 8));
        }
        wire.RunFor(TimeSpan.FromMinutes(30));
        while (observation.Context.Feed.Take(out _) is { } next) { AddNew(read, next); }
        observation.Context.Connector.Leave(ObservationEnd.Canceled);
        wire.RunFor(TimeSpan.FromMinutes(30));
        return (read, state, client.Leftovers);
    }

    // A first registration that nobody answers fails, as any request does.
    private static CoapObservation BeginUntilActive(Wire wire, LaneEnd client)
    {
        while (true)
        {
            var observation = client.ChannelTo(wire.Server).BeginObserving(new CoapRequest(RequestCode.Get, "/count"));
            wire.RunUntil(() => observation.State is ObservationState.Active or ObservationState.Ended);
            if (observation.State == ObservationState.Active) { return observation; }
        }
    }

    // Registering again brings the state as it is, also where it is the same as before.
    private static void AddNew(List<int> read, Notification notification)
    {
        var value = int.Parse(notification.Response.PayloadText, CultureInfo.InvariantCulture);
        if (read.Count == 0 || read[^1] != value) { read.Add(value); }
    }

    private static CoapResponse Count(int value) =>
        new(ResponseCode.Content) { Options = [new MaxAge(30)], Payload = System.Text.Encoding.ASCII.GetBytes($"{value}") };
}
