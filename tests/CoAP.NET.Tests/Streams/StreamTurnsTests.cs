using CoAP.Accounting;
using CoAP.Streams;

namespace CoAP.Tests.Streams;

/// <summary>Which connection of a lane continues next.</summary>
public sealed class StreamTurnsTests
{
    private readonly LedgerBook _unsent = new(1000, 1000);
    private readonly List<string> _order = [];
    private readonly StreamTurns _cut;

    public StreamTurnsTests() => _cut = new StreamTurns(TimeProvider.System, _unsent, static place => place.RunTurn());

    [Fact]
    public void A_connection_waits_for_one_turn_of_each_other_account_however_many_connections_it_has()
    {
        for (var i = 0; i < 900; i++) { new Place(this, "flood", messages: 10_000).Add(); }
        new Place(this, "honest", messages: 1).Add();

        while (!_order.Contains("honest")) { _cut.Run(); }

        _order.Count.Should().BeLessThan(40, "the account has a turn, not each of its connections");
    }

    [Fact]
    public void An_account_over_its_share_waits_until_its_unsent_bytes_decrease()
    {
        var holder = new Place(this, "slow", messages: 0);
        var waiting = new Place(this, "slow", messages: 0);
        holder.Account.ChargeUnsent(900);

        waiting.AwaitRoom();
        var before = waiting.Rooms;
        holder.Account.ChargeUnsent(-900);
        holder.Account.ResumeWaiting();

        before.Should().Be(0);
        waiting.Rooms.Should().Be(1);
        _unsent.Used.Should().Be(0);
    }

    private sealed class Place(StreamTurnsTests tests, string name, int messages) : StreamPlace(tests._cut, CoAP.Account.Of(name))
    {
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
