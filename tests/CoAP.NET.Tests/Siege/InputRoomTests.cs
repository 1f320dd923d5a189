using CoAP.Accounting;

namespace CoAP.Tests.Siege;

/// <summary>The room for incomplete messages, shared among accounts.</summary>
public sealed class InputRoomTests
{
    private const int Limit = 120;

    private readonly InputRoom _cut = new(new LedgerBook(Limit, Limit));
    private readonly List<string> _granted = [];

    [Fact]
    public void A_message_over_the_share_of_its_account_waits_and_stands_in_nobodys_way()
    {
        Take("a", 50).Should().BeTrue();
        Take("a", 30).Should().BeFalse();
        Take("a", 1).Should().BeFalse("the messages of an account keep their order");

        Take("b", 30).Should().BeTrue();

        _cut.Book.Used.Should().Be(80);
    }

    [Fact]
    public void Accounts_have_turns_when_there_is_room_again()
    {
        foreach (var name in (string[])["a", "b", "c", "d", "e"]) { Take(name, 20).Should().BeTrue(); }
        foreach (var name in (string[])["f", "f", "g", "h"]) { Take(name, 20).Should().BeFalse(); }

        _cut.Give(Account.Of("a"), 20);
        _cut.Give(Account.Of("b"), 20);
        _cut.Give(Account.Of("c"), 20);

        _granted.Should().Equal("f", "g", "h");
    }

    [Fact]
    public void A_message_that_is_given_up_makes_way_for_the_next_of_its_account()
    {
        Take("a", 50).Should().BeTrue();
        var large = new Waiter("a", 40, _granted);
        _cut.TryTake(large).Should().BeFalse();
        Take("a", 5).Should().BeFalse();

        _cut.TryForget(large).Should().BeTrue();

        _granted.Should().Equal("a");
        _cut.TryForget(large).Should().BeFalse("it does not wait");
        _cut.Give(Account.Of("a"), 5);
        _cut.Give(Account.Of("a"), 50);
        (_cut.Book.Used, _cut.Book.Count).Should().Be((0, 0));
    }

    [Fact]
    public void Messages_that_are_larger_than_any_share_are_received_one_after_the_other()
    {
        Take("a", 5).Should().BeTrue();
        Take("b", 1000).Should().BeTrue("no share is this large, so the message needs none");
        Take("c", 1000).Should().BeFalse();
        Take("d", 5).Should().BeTrue("a large message takes no more than a share");

        _cut.Give(Account.Of("b"), 1000);

        _granted.Should().Equal("c");
        _cut.Book.Used.Should().Be(5 + 5 + (Limit / 2));
    }

    [Fact]
    public void A_message_of_unknown_length_grows_up_to_the_share_and_beyond_it_if_no_other_does()
    {
        var (first, second) = (Account.Of("first"), Account.Of("second"));

        _cut.TryGrow(first, 0, 60).Should().BeTrue();
        _cut.TryGrow(first, 60, 1000).Should().BeTrue();
        _cut.TryGrow(first, 1000, 2000).Should().BeTrue();
        _cut.TryGrow(second, 0, 30).Should().BeTrue();
        _cut.TryGrow(second, 30, 40).Should().BeFalse("10 more bytes would exceed the share");
        _cut.TryGrow(second, 30, 100).Should().BeFalse("one message may be larger than a share");

        _cut.Shrink(first, 2000, 30);
        _cut.TryGrow(second, 30, 100).Should().BeTrue();
        _cut.Shrink(second, 100, 0);
        _cut.Shrink(first, 30, 0);
        (_cut.Book.Used, _cut.Book.Count).Should().Be((0, 0));
    }

    private bool Take(string name, long size) => _cut.TryTake(new Waiter(name, size, _granted));

    private sealed class Waiter : InputWaiter
    {
        private readonly List<string> _granted;

        public Waiter(string name, long size, List<string> granted) : base(Account.Of(name)) => (Size, _granted) = (size, granted);

        public override void OnGranted() => _granted.Add(Account.ToString());
    }
}
