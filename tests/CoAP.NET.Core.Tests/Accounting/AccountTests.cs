using System.Net;

namespace CoAP.Tests.Accounting;

public sealed class AccountTests
{
    [Theory]
    [InlineData("192.0.2.1", "192.0.2.1", true)]
    [InlineData("192.0.2.1", "::ffff:192.0.2.1", true)]
    [InlineData("192.0.2.1", "192.0.2.2", false)]
    [InlineData("192.0.2.1", "64:ff9b::192.0.2.1", true)]
    [InlineData("64:ff9b::192.0.2.1", "64:ff9b::192.0.2.2", false)]
    [InlineData("64:ff9b::1:192.0.2.1", "64:ff9b::192.0.2.1", false)]
    [InlineData("64:ff9b:1::192.0.2.1", "64:ff9b:1::192.0.2.2", true)]
    [InlineData("fe80::1%1", "fe80::2%2", true)]
    [InlineData("2001:db8:1:2::1", "2001:db8:1:2:ffff::2", true)]
    [InlineData("2001:db8:1:2::1", "2001:db8:1:3::1", false)]
    public void Addresses_of_one_holder_have_one_account(string left, string right, bool areSame) =>
        (AccountOf(left, port: 1) == AccountOf(right, port: 2)).Should().Be(areSame);

    [Fact]
    public void The_account_of_an_IPv6_address_is_its_64_prefix_and_widens_to_56_and_48()
    {
        var account = AccountOf("2001:db8:1:1234:5::6");

        account.ToString().Should().Be("2001:db8:1:1234::/64");
        account.TryWiden(out var home).Should().BeTrue();
        home.ToString().Should().Be("2001:db8:1:1200::/56");
        home.TryWiden(out var site).Should().BeTrue();
        site.ToString().Should().Be("2001:db8:1::/48");
        site.TryWiden(out _).Should().BeFalse();
    }

    [Fact]
    public void The_account_behind_the_prefix_of_a_translator_is_that_of_the_IPv4_address()
    {
        var peer = PeerIdentity.From(new IPEndPoint(IPAddress.Parse("64:ff9b::192.0.2.1"), 5683));

        Account.Of(peer).ToString().Should().Be("192.0.2.1");
        Account.Of(peer).Widest.Should().Be(Account.Of(peer));
        Account.NetworkOf(peer).ToString().Should().Be("192.0.2.0");
    }

    [Fact]
    public void Names_and_IPv4_addresses_do_not_widen()
    {
        Account.Of("fleet 7").TryWiden(out _).Should().BeFalse();
        AccountOf("192.0.2.1").TryWiden(out _).Should().BeFalse();
        Account.Unverified.TryWiden(out _).Should().BeFalse();
    }

    [Fact]
    public void An_account_is_shown_by_its_name_or_address()
    {
        Account.Of("fleet 7").ToString().Should().Be("fleet 7");
        AccountOf("192.0.2.1").ToString().Should().Be("192.0.2.1");
        Account.Unverified.ToString().Should().Be("unverified addresses");
    }

    [Fact]
    public void A_name_is_no_address() =>
        Account.Of("192.0.2.1").Should().NotBe(AccountOf("192.0.2.1"));

    [Fact]
    public void A_peer_without_an_address_has_an_account_of_its_name() =>
        Account.Of(PeerIdentity.From("sensor")).Should().Be(Account.Of("sensor"));

    [Fact]
    public void An_empty_name_is_refused() =>
        FluentActions.Invoking(() => Account.Of("")).Should().Throw<ArgumentException>();

    private static Account AccountOf(string address, int port = 5683) => Account.Of(PeerIdentity.From(new IPEndPoint(IPAddress.Parse(address), port)));

    [Fact]
    public void Peers_that_share_an_address_share_its_account_and_are_different_peers()
    {
        var address = new IPEndPoint(IPAddress.Parse("192.0.2.7"), 443);
        PeerIdentity[] peers = [PeerIdentity.From(address), PeerIdentity.From(address, "a"), PeerIdentity.From(address, "b")];

        peers.Should().OnlyHaveUniqueItems();
        peers.Select(peer => Account.Of(peer)).Distinct().Should().ContainSingle();
        peers[1].ToString().Should().Be("192.0.2.7:443/a");
    }
}
