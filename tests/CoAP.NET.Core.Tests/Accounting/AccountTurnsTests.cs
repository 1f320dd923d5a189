using CoAP.Accounting;

namespace CoAP.Tests.Accounting;

/// <summary>Accounts that take turns, and items that leave before their turn.</summary>
public sealed class AccountTurnsTests
{
    private static readonly Account Alice = Account.Of("Alice");
    private static readonly Account Bob = Account.Of("Bob");

    private readonly AccountTurns<string> _cut = new();

    [Fact]
    public void Accounts_take_turns_and_each_keeps_the_order_of_its_items()
    {
        _cut.Add(Alice, "a1");
        _cut.Add(Alice, "a2");
        _cut.Add(Alice, "a3");
        _cut.Add(Bob, "b1");
        _cut.Add(Bob, "b2");

        (_cut.CountOf(Alice), _cut.CountOf(Bob), _cut.Count).Should().Be((3, 2, 5));
        TakeAll().Should().Equal("a1", "b1", "a2", "b2", "a3");
        (_cut.CountOf(Alice), _cut.Count, _cut.IsEmpty).Should().Be((0, 0, true));
    }

    [Fact]
    public void An_item_that_leaves_does_not_change_the_turns_of_the_others()
    {
        var only = _cut.Add(Bob, "b1");
        var first = _cut.Add(Alice, "a1");
        var second = _cut.Add(Alice, "a2");
        _cut.Add(Alice, "a3");
        _cut.Add(Bob, "b2");

        _cut.Remove(Alice, second).Should().BeTrue();
        _cut.Remove(Bob, only).Should().BeTrue();

        TakeAll().Should().Equal("b2", "a1", "a3");
        _cut.Remove(Alice, second).Should().BeFalse("it has left");
        _cut.Remove(Alice, first).Should().BeFalse("it was taken");
    }

    [Fact]
    public void An_account_whose_last_item_left_comes_last_when_it_returns()
    {
        var only = _cut.Add(Alice, "a1");
        _cut.Add(Bob, "b1");

        _cut.Remove(Alice, only).Should().BeTrue();
        _cut.CountOf(Alice).Should().Be(0);
        _cut.Add(Alice, "a2");

        TakeAll().Should().Equal("b1", "a2");
    }

    private List<string> TakeAll()
    {
        List<string> taken = [];
        while (_cut.TryTake(out var item)) { taken.Add(item); }
        return taken;
    }
}
