using System.Net;
using CoAP.Accounting;
using CoAP.Lanes;
using CoAP.Streams;
namespace CoAP.Tests.Streams;

/// <summary>Which connection of a lane continues next.</summary>
public sealed class StreamTurnsTests
{
    private readonly LedgerBook _unsent = new(1000, 1000);
    private readonly ManualClock _time = new();
    private readonly List<string> _order = [];
    private readonly List<LaneWork> _posted = [];
    private readonly StreamTurns _cut;

    public StreamTurnsTests() => _cut = new StreamTurns(_time, _unsent, _posted.Add, static place => place.RunTurn());

    [Fact]
    public void A_connection_waits_for_one_turn_of_each_other_account_however_many_connections_it_has()
    {
        for (var i = 0; i < 900; i++) { new Place(this, "flood", messages: 10_000).Add(); }
        new Place(this, "honest", messages: 1).Add();

        while (!_order.Contains("honest")) { _cut.Run(); }

        _order.Count.Should().BeLessThan(40, "the account has a turn, not each of its connections");
    }

    [Fact]
    public void An_account_with_few_requests_does_not_wait_for_the_turns_of_busy_ones()
    {
        for (var i = 0; i < 14; i++) { new Place(this, $"flood {i}", messages: 1_000_000).Add(); }
        var honest = new Place(this, "honest", messages: 1);
        for (var i = 0; i < 20; i++) { _cut.Run(); }

        for (var request = 0; request < 50; request++)
        {
            honest.Add();
            _order.Clear();
            _cut.Run();
            _order[0].Should().Be("honest");
        }
    }

    [Fact]
    public void Many_small_requests_get_no_more_work_than_one_turn_for_each_turn_of_a_busy_account()
    {
        new Place(this, "flood", messages: 1_000_000).Add();
        var eager = new Place(this, "eager", messages: 10);

        for (var i = 0; i < 2000; i++)
        {
            eager.Add();
            _cut.Run();
        }

        // A turn of the busy account is one entry. The other account may do the same work in 512 / (10 + 6) entries.
        _order.Count(static name => name == "flood").Should().BeGreaterThan(_order.Count(static name => name == "eager") / 33);
    }

    [Fact]
    public void An_account_that_has_used_up_its_turn_continues_although_others_are_always_ready()
    {
        var late = new Place(this, "late", messages: 1_000_000);
        late.Add();
        _cut.Run();
        var others = Enumerable.Range(0, 200).Select(at => new Place(this, $"other {at}", messages: 100)).ToArray();

        for (var run = 0; run < 50; run++)
        {
            Array.ForEach(others, static other => other.Add());
            _cut.Run();
        }

        _order.Count(static name => name == "late").Should().BeGreaterThan(40);
    }

    [Fact]
    public void An_account_that_closes_its_connections_and_opens_others_gets_no_new_turn()
    {
        for (var i = 0; i < 3; i++) { new Place(this, $"busy {i}", messages: 1_000_000).Add(); }

        for (var run = 0; run < 300; run++)
        {
            var places = Enumerable.Range(0, 4).Select(at => new Place(this, $"restless {at}", messages: 512)).ToArray();
            Array.ForEach(places, static place => place.Add());
            _cut.Run();
            Array.ForEach(places, static place => place.Close());
        }

        _order.Count(static name => name == "busy 1").Should().BeGreaterThan(_order.Count(static name => name == "restless 1") / 3);
    }

    [Fact]
    public void Accounts_that_have_left_are_forgotten()
    {
        for (var i = 0; i < 5000; i++)
        {
            var place = new Place(this, $"guest {i}", messages: 400);
            place.Add();
            _cut.Run();
            place.Close();
        }
        for (var run = 0; run < 50; run++) { _cut.Run(); }

        _cut.AccountCount.Should().Be(0);
    }

    [Fact]
    public void Time_that_others_send_for_is_charged_to_the_account_that_sends()
    {
        var busy = new Place(this, "busy", messages: 1);
        var other = new Place(this, "other", messages: 1);

        _cut.StartClock();
        _time.Advance(TimeSpan.FromMilliseconds(2));
        _cut.ChargeTime(busy.Account);
        busy.Add();
        other.Add();
        _cut.Run();

        _order.Should().Equal("other", "busy");
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
        private bool _isClosed;

        public Place(StreamTurnsTests tests, string name, int messages)
            : this(tests, name, CoAP.Account.Of(name), messages)
        {
        }

        public Place(StreamTurnsTests tests, PeerIdentity peer, int messages)
            : this(tests, "site", CoAP.Account.Of(peer), messages)
        {
        }

        public int Rooms { get; private set; }

        public void Close()
        {
            _isClosed = true;
            Turns.Leave(Account);
        }

        public override void RunTurn()
        {
            if (_isClosed) { return; }
            tests._order.Add(name);
            var left = messages;
            for (; left > 0 && !Turns.IsOver; left--) { Turns.Charge(messages: 1, bytes: 0); }
            if (left > 0) { Add(); }
        }

        protected override void OnRoom() => Rooms++;
    }
}
