using CoAP.Reliability;

namespace CoAP.Tests.Reliability;

public class LeisureTests
{
    [Theory]
    [InlineData(100, 100, 1000, 10)]        // the example of RFC 7252, section 8.2
    [InlineData(100, 50, 1000, 5)]          // DEFAULT_LEISURE
    [InlineData(0, 50, 1000, 0)]
    [Trait("RFC", "7252 8.2")]
    public void The_lower_bound_is_size_times_group_by_rate(int size, int group, double rate, double seconds)
    {
        Leisure.LowerBound(size, group, rate).Should().Be(TimeSpan.FromSeconds(seconds));
    }

    [Fact]
    [Trait("RFC", "7252 8.2")]
    public void Delays_are_spread_over_the_whole_period()
    {
        var random = new Random(5);
        var leisure = TimeSpan.FromSeconds(5).Ticks;

        var delays = Enumerable.Range(0, 10_000).Select(_ => Leisure.Pick(leisure, random.NextDouble())).ToList();

        delays.Should().OnlyContain(delay => delay >= 0 && delay < leisure);
        delays.GroupBy(delay => delay * 10 / leisure).Should().HaveCount(10).And.OnlyContain(tenth => tenth.Count() > 900, "seed 5");
    }
}
