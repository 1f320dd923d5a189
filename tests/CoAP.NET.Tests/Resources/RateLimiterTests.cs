using CoAP.Resources;

namespace CoAP.Tests.Resources;

public sealed class RateLimiterTests
{
    // Otherwise, each request of one more account would look through all of them.
    [Fact]
    public void With_the_most_accounts_it_looks_for_quiet_ones_at_most_once_per_second()
    {
        var cut = new RateLimiter(new RateLimit { Requests = 1, Per = TimeSpan.FromMilliseconds(100) });
        var honest = Account.Of(PeerIdentity.FromIPv4(0x0B000000, 1));
        for (var i = 0; i < 65_536; i++) { Counts(Account.Of(PeerIdentity.FromIPv4(0x0A000000u + (uint)i, 1)), milliseconds: 0); }
        Counts(honest, milliseconds: 0);

        Counts(honest, milliseconds: 999).Should().BeTrue();
        Counts(honest, milliseconds: 999).Should().BeTrue("the quiet accounts are still there, and this one has no entry");
        Counts(honest, milliseconds: 1000).Should().BeTrue();
        Counts(honest, milliseconds: 1000).Should().BeFalse("it has an entry now");
        cut.Count.Should().Be(1);

        bool Counts(Account account, int milliseconds) => cut.TryCount(account, default, TimeSpan.FromMilliseconds(milliseconds).Ticks, out _);
    }
}
