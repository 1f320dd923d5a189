using CoAP.Dtls;

namespace CoAP.Tests.Dtls.Handshakes;

public sealed class HelloBudgetTests
{
    [Fact, Trait("RFC", "6347 4.2.1")]
    public void A_flood_uses_up_one_period_and_not_the_next()
    {
        var cut = default(HelloBudget);
        var counts = new List<int>();
        for (var period = 0; period < 3; period++)
        {
            var now = TimeSpan.FromMilliseconds(100 + (10 * period));
            counts.Add(Enumerable.Range(0, 10_000).Count(_ => cut.TryTake(now)));
            cut.TryTake(now + TimeSpan.FromMilliseconds(9)).Should().BeFalse();
        }

        counts.Should().Equal(256, 256, 256);
    }
}
