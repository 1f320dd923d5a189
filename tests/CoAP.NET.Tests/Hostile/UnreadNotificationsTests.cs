using System.Net;
using CoAP.Tests.Observing;
using CoAP.TestSupport;

namespace CoAP.Tests.Hostile;

/// <summary>Many connections of one address that observe a large resource and read nothing.</summary>
public sealed class UnreadNotificationsTests : IDisposable
{
    private const int Connections = 100;
    private const int Size = 60_000;
    private const int Limit = 1 << 20;

    private readonly Wire _wire = new(new ManualClock());
    private readonly StreamLaneEnd _server;
    private readonly Resource _resource;
    private readonly List<ReadingObserver> _attackers;
    private readonly ReadingObserver _honest;
    private byte _state = 1;

    public UnreadNotificationsTests()
    {
        var map = new ResourceMap();
        _resource = map.At("t").Observable(keepsFresh: false).Get(_ => Content(), HandlerMode.Inline);
        _server = new StreamLaneEnd(_wire, new CoapServerSettings { MaxInFlightSize = 2 * Limit }, map);
        _attackers = [.. Enumerable.Range(0, Connections).Select(at => Connect("192.0.2.1", 10_000 + at))];
        _honest = Connect("198.51.100.7", 5683);
        Read([.. _attackers, _honest]);
    }

    private long Unsent => _server.Lane.Ledger.UnsentBytes.Used;

    public void Dispose() => _server.Dispose();

    [Fact]
    public void Their_unread_notifications_stay_within_the_share_of_the_account()
    {
        for (var change = 0; change < 5; change++)
        {
            Change();
            Unsent.Should().BeLessThan((Limit / 2) + (2 * Size));
        }
        Unsent.Should().BeGreaterThan(Limit / 4, "they fill the share");
    }

    [Fact]
    public void An_observer_of_another_account_gets_each_notification_meanwhile()
    {
        for (var change = 0; change < 5; change++)
        {
            Change();
            _honest.Read();
            _honest.Last.Should().Be(_state);
        }
    }

    [Fact]
    public void All_of_them_get_the_newest_state_when_they_read()
    {
        for (var change = 0; change < 5; change++) { Change(); }
        Read([.. _attackers, _honest]);

        _attackers.Should().OnlyContain(one => one.Last == _state);
        Unsent.Should().Be(0);
    }

    [Fact]
    public void Those_that_wait_for_room_continue_when_the_connections_before_them_end()
    {
        for (var change = 0; change < 5; change++) { Change(); }
        var (first, last) = (_attackers[..90], _attackers[90..]);

        first.ForEach(static one => one.Close());
        Read(last);

        last.Should().OnlyContain(one => one.Last == _state);
        _resource.ObserverCount.Should().Be(last.Count + 1);
    }

    [Fact]
    public void Nothing_is_left_of_those_that_end_while_they_wait()
    {
        for (var change = 0; change < 5; change++) { Change(); }

        _attackers.ForEach(static one => one.Close());
        _honest.Close();
        _wire.RunUntilIdle(TimeSpan.FromMinutes(1));

        (Unsent, _server.Lane.Ledger.UnsentBytes.Count, _resource.ObserverCount).Should().Be((0, 0, 0));
    }

    private ReadingObserver Connect(string address, int port)
    {
        var peer = PeerIdentity.From(new IPEndPoint(IPAddress.Parse(address), port));
        var observer = new ReadingObserver(_server.Accept(peer), "40 e1 23 020000");     // Max-Message-Size 131,072
        observer.Register((byte)'t');
        return observer;
    }

    private CoapResponse Content()
    {
        var payload = new byte[Size];
        payload[^1] = _state;
        return new(ResponseCode.Content) { Payload = payload };
    }

    private void Change()
    {
        _state++;
        _resource.NotifyChanged();
        _wire.RunUntilIdle(TimeSpan.Zero);
    }

    private void Read(List<ReadingObserver> observers)
    {
        do { _wire.RunUntilIdle(TimeSpan.Zero); }
        while (observers.Sum(static one => one.Read() ? 1 : 0) > 0);      // all of them read
    }
}
