using System.Net;
using CoAP.TestSupport;

namespace CoAP.Tests.Observing;

/// <summary>Large notifications over a connection are sent as fast as the peer reads, and never close it.</summary>
public sealed class LargeNotificationsTests : IDisposable
{
    private const int Observations = 25;

    private static readonly PeerIdentity Client = PeerIdentity.From(new IPEndPoint(IPAddress.Parse("192.0.2.1"), 40_000));

    private readonly Wire _wire = new(new ManualClock());
    private readonly StreamLaneEnd _server;
    private readonly List<Resource> _resources = [];
    private readonly ReadingObserver _observer;
    private int _size = 1000;

    public LargeNotificationsTests()
    {
        var map = new ResourceMap();
        for (var at = 0; at < Observations; at++)
        {
            _resources.Add(map.At($"{(char)('a' + at)}").Observable(keepsFresh: false).Get(_ => Content(), HandlerMode.Inline));
        }
        _server = new StreamLaneEnd(_wire, new CoapServerSettings(), map);
        _observer = new ReadingObserver(_server.Accept(Client), "40 e1 23 800000");      // Max-Message-Size 8 MiB
        for (var at = 0; at < Observations; at++) { _observer.Register((byte)('a' + at)); }
        Read();
    }

    public void Dispose() => _server.Dispose();

    [Theory]
    [InlineData(1 << 20)]
    [InlineData(60_000)]
    public void A_peer_that_reads_gets_the_notifications_of_all_its_observations(int size)
    {
        var before = _observer.Count;
        _size = size;
        _resources.ForEach(static one => one.NotifyChanged());
        Read();

        (_observer.Count - before).Should().BeInRange((long)Observations * size, (long)Observations * (size + 20));
        _server.Lane.ConnectionCount.Should().Be(2);
    }

    [Fact]
    public void A_peer_that_reads_nothing_has_one_notification_sent_and_gets_the_newest_of_the_others()
    {
        var before = _observer.Count;
        _size = 1 << 20;
        for (var change = 0; change < 3; change++)
        {
            _resources.ForEach(static one => one.NotifyChanged());
            _wire.RunUntilIdle(TimeSpan.Zero);
            _server.Lane.Ledger.UnsentBytes.Used.Should().BeInRange(1, 2 << 20);
        }
        Read();

        const long Sent = Observations + 1;
        (_observer.Count - before).Should().BeInRange(Sent * _size, Sent * (_size + 20), "the state that was sent first has a newer one");
    }

    private CoapResponse Content() => new(ResponseCode.Content) { Payload = new byte[_size] };

    private void Read()
    {
        do { _wire.RunUntilIdle(TimeSpan.Zero); }
        while (_observer.Read());
    }
}
