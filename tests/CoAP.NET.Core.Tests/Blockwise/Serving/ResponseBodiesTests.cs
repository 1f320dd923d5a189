using CoAP.Accounting;
using CoAP.Blockwise;
using CoAP.Options;
using static CoAP.Tests.Blockwise.Transfers;

namespace CoAP.Tests.Blockwise;

public sealed class ResponseBodiesTests
{
    private readonly BodyBudget _budget = Budget();
    private readonly ResponseBodies _cut;

    public ResponseBodiesTests() => _cut = new ResponseBodies(Limits, _budget);

    [Fact, Trait("RFC", "7959 2.4")]
    public void A_body_lives_for_a_lifetime_after_it_was_last_asked_for()
    {
        Add("a", isSafe: true, now: 0);
        _cut.TryFind(Key("a"), null, now: 100, out _).Should().BeTrue();

        _cut.Expire(Lifetime + 99);
        _cut.Count.Should().Be(1);
        _cut.Expire(Lifetime + 100);

        (_cut.Count, _budget.Bytes, _cut.NextDeadline).Should().Be((0, 0L, long.MaxValue));
    }

    [Fact]
    public void Bodies_that_can_be_made_again_give_way_to_others_the_oldest_first()
    {
        for (var i = 0; i < 4; i++) { Add("a", isSafe: true, now: i, port: 5000 + i); }

        Add("a", isSafe: false, now: 9, port: 6000).Should().BeTrue();

        _cut.TryFind(Key("a", 5000), null, 10, out _).Should().BeFalse("it was the oldest");
        _cut.TryFind(Key("a", 5001), null, 10, out _).Should().BeTrue();
        _budget.Bytes.Should().Be(4000);
    }

    [Fact]
    public void An_account_that_holds_its_share_makes_room_among_its_own_bodies()
    {
        var book = new LedgerBook(8000, 0);
        var cut = new ResponseBodies(Limits, new BodyBudget(Limits, book));
        Add("Alice", 1).Should().BeTrue();
        for (var port = 2; port < 10; port++) { Add("Bob", port).Should().BeTrue(); }

        cut.TryFind(Key("a", 1), null, 10, out _).Should().BeTrue("it is older than all bodies of the other account");
        (book.HeldBy(Account.Of("Alice")), book.HeldBy(Account.Of("Bob"))).Should().Be((1000, 3000));
        cut.Expire(long.MaxValue);
        (book.Used, book.Count).Should().Be((0, 0));

        bool Add(string account, int port) => cut.TryAdd(
            new ResponseBody(Key("a", port) with { Account = Account.Of(account) }, ResponseCode.Content, OptionSet.Empty, new byte[1000]) { IsSafe = true }, port);
    }

    [Fact]
    public void Bodies_that_cannot_be_made_again_stay_and_there_is_no_room()
    {
        for (var i = 0; i < 4; i++) { Add("a", isSafe: false, now: i, port: 5000 + i).Should().BeTrue(); }

        Add("a", isSafe: true, now: 9, port: 6000).Should().BeFalse();

        _cut.Count.Should().Be(4);
    }

    [Fact]
    public void A_peer_that_fetches_too_many_bodies_loses_its_own_oldest_one()
    {
        Add("x", isSafe: true, now: 0, port: 6000);
        foreach (var path in new[] { "a", "b", "c" }) { Add(path, isSafe: true, now: 1).Should().BeTrue(); }

        _cut.TryFind(Key("a"), null, 2, out _).Should().BeFalse();
        _cut.TryFind(Key("x", 6000), null, 2, out _).Should().BeTrue("another peer's bodies are its own");
    }

    [Fact]
    public void A_peer_whose_bodies_cannot_be_made_again_gets_no_more_of_them()
    {
        foreach (var path in new[] { "a", "b" }) { Add(path, isSafe: false, now: 0); }

        Add("c", isSafe: true, now: 1).Should().BeFalse();
    }

    [Fact, Trait("RFC", "8132 2.5")]
    public void A_FETCH_that_asks_for_something_else_does_not_get_the_body()
    {
        Add("a", isSafe: true, now: 0, hash: 17);

        _cut.TryFind(Key("a"), 18, 1, out _).Should().BeFalse();
        _cut.TryFind(Key("a"), 17, 1, out _).Should().BeTrue();
        _cut.TryFind(Key("a"), null, 1, out _).Should().BeTrue("requests for further blocks need not repeat the payload");
    }

    [Fact]
    public void A_new_response_to_the_same_request_replaces_the_old_one()
    {
        Add("a", isSafe: false, now: 0);

        Add("a", isSafe: false, now: 1).Should().BeTrue();

        (_cut.Count, _budget.Bytes).Should().Be((1, 1000L));
    }

    private bool Add(string path, bool isSafe, long now, int port = 5000, ulong hash = 0) => _cut.TryAdd(
        new ResponseBody(Key(path, port), ResponseCode.Content, OptionSet.Empty, new byte[1000]) { IsSafe = isSafe, RequestHash = hash }, now);
}
