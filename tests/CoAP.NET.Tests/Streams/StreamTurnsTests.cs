using System.Net;
using CoAP.Accounting;
using CoAP.Lanes;
using CoAP.Streams;

namespace CoAP.Tests.Streams;

/// <summary>Which connection of a lane continues next.</summary>
public sealed class StreamTurnsTests
{
    private readonly LedgerBook _unsent = new(1000, 1000);
    private readonly List<string> _order = [];
    private readonly List<LaneWork> _posted = [];
    private readonly StreamTurns _cut;

    public StreamTurnsTests() => _cut = new StreamTurns(TimeProvider.System, _unsent, _posted.Add, static place => place.RunTurn());

    [Fact]
    public void A_connection_waits_for_one_turn_of_each_other_account_however_many_connections_it_has()
    {
        for (var i = 0; i < 900; i++) { new Place(this, "flood", messages: 10_000).Add(); }
        new Place(this, "honest", messages: 1).Add();

        while (!_order.Contains("honest")) { _cut.Run(); }

        _order.Count.Should().BeLessThan(40, "the account has a turn, not each of its connections");
    }

    [Fact]
    public void All_networks_of_an_IPv6_site_have_one_turn_together()
    {
        for (var network = 0; network < 800; network++) { new Place(this, PeerIdentity.From(IPEndPoint.Parse($"[2001:db8:1:{network:x}::1]:9")), messages: 10_000).Add(); }
        new Place(this, "honest", messages: 1).Add();

        while (!_order.Contains("honest")) { _cut.Run(); }

        _order.Count.Should().BeLessThan(40, "the site has a turn, not each of its networks");
    }

    [Fact]
    public void An_account_over_its_share_waits_until_its_unsent_bytes_decrease()
    {
        var waiting = new Place(this, "slow", messages: 0);
        _unsent.Take(CoAP.Account.Of("slow"), 900);

        waiting.AwaitRoom();
        var before = waiting.Rooms;
        _unsent.Release(CoAP.Account.Of("slow"), 900);
        _posted.ForEach(static work => work.Run());

        before.Should().Be(0);
        waiting.Rooms.Should().Be(1);
        _unsent.Used.Should().Be(0);
    }

    [Fact]
    public void A_network_over_its_share_does_not_stand_in_front_of_the_others_of_its_site()
    {
        var (full, other) = (PeerIdentity.From(IPEndPoint.Parse("[2001:db8:1:1::1]:9")), PeerIdentity.From(IPEndPoint.Parse("[2001:db8:1:2::1]:9")));
        var (first, second) = (new Place(this, full, messages: 0), new Place(this, other, messages: 0));
        _unsent.Take(CoAP.Account.Of(full), 600);
        _unsent.Take(CoAP.Account.Of(other), 300);
        first.AwaitRoom();
        second.AwaitRoom();

        _unsent.Release(CoAP.Account.Of(other), 250);
        _posted.ForEach(static work => work.Run());

        first.Rooms.Should().Be(0);
        second.Rooms.Should().Be(1);
    }

    private sealed class Place(StreamTurnsTests tests, string name, in Account account, int messages) : StreamPlace(tests._cut, account)
    {
        public Place(StreamTurnsTests tests, string name, int messages)
            : this(tests, name, CoAP.Account.Of(name), messages)
        {
        }

        public Place(StreamTurnsTests tests, PeerIdentity peer, int messages)
            : this(tests, "site", CoAP.Account.Of(peer), messages)
        {
        }

        public int Rooms { get; private set; }

        public override void RunTurn()
        {
            tests._order.Add(name);
            var left = messages;
            for (; left > 0 && !Turns.IsOver; left--) { Turns.Charge(messages: 1, bytes: 0); }
            if (left > 0) { Add(); }
        }

        protected override void OnRoom() => Rooms++;
    }
}
