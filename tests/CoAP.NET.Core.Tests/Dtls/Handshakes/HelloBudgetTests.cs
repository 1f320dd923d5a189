using System.Net;
using CoAP.Dtls;

namespace CoAP.Tests.Dtls.Handshakes;

public sealed class HelloBudgetTests
{
    private const int Groups = 256;

    private readonly HelloBudget _cut = new(seed: 1);

    [Fact, Trait("RFC", "6347 4.2.1")]
    public void A_flood_from_one_address_uses_up_one_period_and_not_the_next()
    {
        var counts = new List<int>();
        for (var period = 0; period < 3; period++)
        {
            var now = TimeSpan.FromMilliseconds(100 + (10 * period));
            counts.Add(Enumerable.Range(0, 10_000).Count(_ => _cut.TryTake(Address(7), now)));
            _cut.TryTake(Address(7), now + TimeSpan.FromMilliseconds(9)).Should().BeFalse();
        }

        counts.Should().AllBeEquivalentTo(HelloBudget.Common + HelloBudget.PerGroup);
    }

    [Fact]
    public void A_flood_from_one_address_leaves_the_others_their_share()
    {
        foreach (var _ in Enumerable.Range(0, 10_000)) { _cut.TryTake(Address(7), TimeSpan.FromSeconds(1)); }

        // Each has a share, except those whose group has another address, too: on average 83 of 100.
        Enumerable.Range(1000, 100).Count(address => _cut.TryTake(Address(address), TimeSpan.FromSeconds(1))).Should().BeInRange(65, 100);
    }

    [Fact]
    public void A_flood_from_forged_addresses_gets_no_more_than_all_shares()
    {
        Enumerable.Range(0, 100_000).Count(address => _cut.TryTake(Address(address), TimeSpan.FromSeconds(1)))
            .Should().Be(HelloBudget.Common + (Groups * HelloBudget.PerGroup));
    }

    private static Account Address(int number) => Account.Of(PeerIdentity.From(new IPEndPoint(new IPAddress((long)number), 5684)));
}
