using CoAP.TestSupport;
using CoAP.Transports;

namespace CoAP.Tests.Transports;

public sealed class WireTests
{
    private static readonly PeerIdentity Client = PeerIdentity.From("client");

    [Fact]
    public void Loses_repeats_and_delays_datagrams_as_set()
    {
        var wire = new Wire(new ManualClock()) { Latency = TimeSpan.FromMilliseconds(50) };
        wire.Drop(Direction.ToServer, nth: 1);
        wire.Duplicate(Direction.ToServer, nth: 2);
        wire.Delay(Direction.ToServer, nth: 3, TimeSpan.FromMilliseconds(100));

        var arrivals = Run(wire, count: 4);

        arrivals.Should().Equal((50, 2), (50, 2), (50, 4), (150, 3));
        wire.Sent(Direction.ToServer).Select(sent => sent.Copies).Should().Equal(0, 2, 1, 1);
        wire.Sent(Direction.ToClient).Should().BeEmpty();
    }

    [Fact]
    public void The_same_seed_gives_the_same_run()
    {
        static Wire Make(int seed) => new(new ManualClock(), seed) { Jitter = TimeSpan.FromSeconds(1), Loss = 0.3, Duplication = 0.3 };

        var first = Run(Make(7), count: 100);
        var again = Run(Make(7), count: 100);
        var other = Run(Make(8), count: 100);

        again.Should().Equal(first);
        other.Should().NotEqual(first);
    }

    [Fact]
    public void Random_loss_repetition_and_reordering_match_the_settings()
    {
        var wire = new Wire(new ManualClock(), seed: 3) { Jitter = TimeSpan.FromSeconds(1), Loss = 0.2, Duplication = 0.5 };

        var arrivals = Run(wire, count: 250);

        var copies = wire.Sent(Direction.ToServer).Select(sent => sent.Copies).ToList();
        copies.Count(count => count == 0).Should().BeInRange(30, 70, "a fifth of 250 is 50 (seed {0})", wire.Seed);
        copies.Count(count => count == 2).Should().BeInRange(70, 130, "half of 200 is 100 (seed {0})", wire.Seed);
        arrivals.Select(arrival => arrival.Number).Should().NotBeInAscendingOrder().And.HaveCount(copies.Sum());
    }

    private static List<(double Milliseconds, byte Number)> Run(Wire wire, int count)
    {
        using var server = new End(wire, wire.Network.OpenDatagrams(wire.Server));
        using var client = wire.Network.OpenDatagrams(Client);
        wire.Attach(server);
        for (var number = 1; number <= count; number++) { client.Send(new ChannelKey(wire.Server, default), [(byte)number]); }
        wire.RunUntilIdle();
        return server.Arrivals;
    }

    /// <summary>Records when each datagram arrives.</summary>
    private sealed class End(Wire wire, IDatagramTransport transport) : IWireEnd, IDisposable
    {
        private readonly UdpRecorder _heard = new();

        public List<(double Milliseconds, byte Number)> Arrivals { get; } = [];

        public TimeSpan? NextDeadline => null;

        public bool Run()
        {
            var count = transport.Receive(_heard);
            Arrivals.AddRange(_heard.Datagrams.TakeLast(count).Select(datagram => (wire.Time.Elapsed.TotalMilliseconds, datagram.Bytes[0])));
            return count > 0;
        }

        public void Dispose() => transport.Dispose();
    }
}
