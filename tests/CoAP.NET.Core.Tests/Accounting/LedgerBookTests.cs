using System.Net;
using CoAP.Accounting;

namespace CoAP.Tests.Accounting;

public sealed class LedgerBookTests
{
    private static readonly Account Alice = Account.Of("Alice");
    private static readonly Account Bob = Account.Of("Bob");

    [Theory]
    [InlineData(1, 1)]
    [InlineData(2, 1)]
    [InlineData(3, 2)]
    [InlineData(100, 50)]
    [InlineData(101, 51)]
    public void A_lone_account_gets_half(int limit, int share) => Fill(new LedgerBook(limit, limit), Alice).Should().Be(share);

    [Theory]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(9)]
    public void Accounts_that_take_in_turn_get_equal_shares_and_leave_one_share_free(int accounts)
    {
        const int limit = 10_000;
        var cut = new LedgerBook(limit, limit);
        Account[] all = [.. Enumerable.Range(0, accounts).Select(i => Account.Of($"account {i}"))];

        bool isFull;
        do
        {
            isFull = true;
            foreach (var account in all) { isFull &= cut.TryCharge(account) != Charge.Accepted; }
        }
        while (!isFull);

        all.Select(account => cut.HeldBy(account)).Should().AllSatisfy(held => held.Should().BeCloseTo(limit / (accounts + 1), 1));
        (limit - cut.Used).Should().BeCloseTo(limit / (accounts + 1), (uint)accounts);
    }

    [Fact]
    public void Room_is_scarce_only_for_accounts_that_hold_more_than_half_of_what_they_may_hold()
    {
        var cut = new LedgerBook(1000, 1000);
        cut.Take(Alice, 400);
        cut.Take(Bob, 150);

        cut.IsScarceFor(Alice).Should().BeTrue("450 are free");
        cut.IsScarceFor(Bob).Should().BeFalse();
        cut.IsScarceFor(Account.Of("Carol")).Should().BeFalse();
    }

    [Fact]
    public void Room_is_scarce_for_a_network_if_its_site_holds_much()
    {
        var cut = new LedgerBook(1000, 1000);
        for (var network = 0; network < 100; network++) { cut.Take(Account.Of(PeerIdentity.From(IPEndPoint.Parse($"[2001:db8:1:{network:x}00::1]:9"))), 7); }

        cut.IsScarceFor(Account.Of(PeerIdentity.From(IPEndPoint.Parse("[2001:db8:1:100::1]:9")))).Should().BeTrue("the site holds 700, and may hold 4 times 300");
        cut.IsScarceFor(Account.Of(PeerIdentity.From(IPEndPoint.Parse("[2001:db8:2:100::1]:9")))).Should().BeFalse();
    }

    [Fact]
    public void Only_an_account_that_holds_nothing_may_take_the_room_of_others_when_nothing_is_free()
    {
        var cut = new LedgerBook(100, 100);
        cut.Take(Alice, 60);
        cut.Take(Bob, 1);

        cut.TryCharge(Alice, 50).Should().Be(Charge.OverShare);
        cut.TryCharge(Bob, 50).Should().Be(Charge.OverShare);
        cut.TryCharge(Account.Of("Carol"), 50).Should().Be(Charge.Full);
    }

    [Fact]
    public void Many_accounts_wait_and_each_is_called_once()
    {
        const int many = 50_000;
        var cut = new LedgerBook(1, 1);
        cut.Take(Alice);
        var called = 0;
        Action[] waiting = [.. Enumerable.Range(0, many).Select(i => new Action(() => called += i < many ? 1 : 0))];

        foreach (var onRelease in waiting.Concat(waiting)) { cut.MustWait(Alice, onRelease).Should().BeTrue(); }
        cut.Release(Alice);

        called.Should().Be(many);
    }

    [Fact]
    public void An_account_that_comes_late_gets_half_of_what_is_left()
    {
        var cut = new LedgerBook(100, 100);
        Fill(cut, Alice);

        Fill(cut, Bob).Should().Be(25);
        Fill(cut, Account.Of("Carol")).Should().Be(13);
    }

    [Fact]
    public void Unverified_addresses_get_their_fraction_and_no_more()
    {
        var cut = new LedgerBook(limit: 800, unverifiedLimit: 100);

        Fill(cut, Account.Unverified).Should().Be(100);
        cut.TryCharge(Account.Unverified).Should().Be(Charge.OverShare);
        Fill(cut, Alice).Should().Be(350);
    }

    [Fact]
    public void Unverified_addresses_get_nothing_of_what_is_expensive()
    {
        var cut = new LedgerBook(limit: 800, unverifiedLimit: 0);

        cut.TryCharge(Account.Unverified).Should().Be(Charge.OverShare);
        cut.Check(Account.Unverified).Should().Be(Charge.OverShare);
    }

    [Fact]
    public void A_network_gets_half_a_home_two_thirds_and_a_site_four_fifths()
    {
        var cut = new LedgerBook(limit: 3000, unverifiedLimit: 0);

        Fill(cut, Network("2001:db8:1:1200::")).Should().Be(1500);
        while (Enumerable.Range(0, 256).Any(i => cut.TryCharge(Network($"2001:db8:1:12{i:x2}::")) == Charge.Accepted))
        {
        }

        cut.Used.Should().Be(2000);
        while (Enumerable.Range(0, 65_536).Any(i => cut.TryCharge(Network($"2001:db8:1:{i:x}::")) == Charge.Accepted))
        {
        }

        cut.Used.Should().Be(2400);
        Fill(cut, Network("2001:db8:2::")).Should().Be(300, "another site still gets half of what is left");
    }

    [Fact]
    public void Amounts_count_as_a_whole()
    {
        var cut = new LedgerBook(limit: 100, unverifiedLimit: 0);

        cut.TryCharge(Alice, 60).Should().Be(Charge.OverShare);
        cut.TryCharge(Alice, 50).Should().Be(Charge.Accepted);
        cut.TryCharge(Bob, 51).Should().Be(Charge.Full);
        cut.HeldBy(Bob).Should().Be(0);
        cut.Refused.Should().Be(2);
    }

    [Fact]
    public void An_existing_amount_is_charged_even_above_the_limit_and_further_charges_fail()
    {
        var cut = new LedgerBook(limit: 2, unverifiedLimit: 0);
        for (var i = 0; i < 3; i++) { cut.Take(Alice); }

        cut.Used.Should().Be(3);
        cut.IsFull.Should().BeTrue();
        cut.TryCharge(Bob).Should().Be(Charge.Full);
    }

    [Theory]
    [InlineData(0, Charge.Accepted)]
    [InlineData(49, Charge.Accepted)]
    [InlineData(50, Charge.OverShare)]
    public void A_check_foretells_the_charge_and_charges_nothing(int held, object expected)
    {
        var cut = new LedgerBook(limit: 100, unverifiedLimit: 0);
        for (var i = 0; i < held; i++) { cut.Take(Alice); }

        cut.Check(Alice).Should().Be((Charge)expected);
        cut.HeldBy(Alice).Should().Be(held);
        cut.TryCharge(Alice).Should().Be((Charge)expected);
    }

    [Theory]
    [InlineData(160, 160, 10)]
    [InlineData(160, 5, 5)]
    [InlineData(15, 15, 0)]
    public void While_most_is_free_nobody_has_to_be_checked(int limit, int unverifiedLimit, int ample)
    {
        var cut = new LedgerBook(limit, unverifiedLimit);
        var held = 0;

        for (; cut.IsAmple; held++) { cut.TryCharge(Account.Unverified).Should().Be(Charge.Accepted); }

        held.Should().Be(ample);
    }

    [Theory]
    [InlineData(1), InlineData(2), InlineData(3), InlineData(4)]
    public void A_check_agrees_with_a_charge_in_any_state(int seed)
    {
        var random = new Random(seed);
        Account[] all = [Alice, Bob, Account.Unverified, Network("2001:db8:1:1::"), Network("2001:db8:1:2::"), Network("2001:db8:2:1::")];
        for (var round = 0; round < 200; round++)
        {
            var cut = new LedgerBook(random.Next(0, 200), random.Next(0, 50));
            for (var i = random.Next(0, 250); i > 0; i--) { cut.TryCharge(all[random.Next(all.Length)]); }
            foreach (var account in all)
            {
                var foretold = cut.Check(account);
                var charged = cut.TryCharge(account);
                charged.Should().Be(foretold, $"seed {seed}, round {round}, {account}");
                if (charged == Charge.Accepted) { cut.Release(account); }
            }
        }
    }

    [Fact]
    public void Accounts_that_hold_nothing_are_forgotten()
    {
        var cut = new LedgerBook(limit: 100, unverifiedLimit: 100);
        Account[] all = [Alice, Account.Unverified, Network("2001:db8::")];
        foreach (var account in all) { cut.TryCharge(account, 3); }

        cut.Count.Should().Be(5, "an IPv6 account has two wider prefixes");
        foreach (var account in all) { cut.Release(account, 3); }

        (cut.Used, cut.Count).Should().Be((0, 0));
    }

    private static Account Network(string address) => Account.Of(PeerIdentity.From(new IPEndPoint(IPAddress.Parse(address), 5683)));

    private static int Fill(LedgerBook book, Account account)
    {
        var held = 0;
        while (book.TryCharge(account) == Charge.Accepted) { held++; }
        return held;
    }

    [Fact]
    public void A_wait_ends_with_the_next_release_and_is_no_refusal()
    {
        var book = new LedgerBook(100, 0);
        var calls = 0;
        book.Take(Alice, 60);

        book.MustWait(Alice, OnRelease).Should().BeTrue();
        book.MustWait(Alice, OnRelease).Should().BeTrue();
        book.MustWait(Bob, OnRelease).Should().BeFalse("an account that holds nothing has nothing to wait for");
        book.Release(Alice, 20);
        book.Release(Alice, 20);

        calls.Should().Be(1);
        book.MustWait(Alice, OnRelease).Should().BeFalse();
        book.Refused.Should().Be(0);

        void OnRelease() => calls++;
    }

    [Fact]
    public void A_further_network_of_a_site_that_holds_its_share_is_no_newcomer()
    {
        var book = new LedgerBook(1000, 1000);
        var (held, other) = (Account.Of(PeerIdentity.From(IPEndPoint.Parse("[2001:db8:1:1::1]:9"))), Account.Of(PeerIdentity.From(IPEndPoint.Parse("[2001:db8:1:2::1]:9"))));
        book.Take(held, 900);

        book.HasRoom(other).Should().BeFalse("the /48 of both holds nine times as much as is free");
        book.HasRoom(Account.Of("newcomer")).Should().BeTrue();
        book.HasRoom(Account.Of("newcomer"), amount: 90).Should().BeFalse("an account holds at most as much as is free");
    }

    [Fact]
    public void An_amount_above_the_share_has_no_room_even_if_little_is_in_use()
    {
        var book = new LedgerBook(1600, 1600);

        book.HasRoom(Account.Of("greedy"), amount: 800).Should().BeTrue();
        book.HasRoom(Account.Of("greedy"), amount: 1000).Should().BeFalse("an account holds at most as much as is then free");
    }
}
