namespace CoAP.Observing;

public sealed class NotificationFilterTests
{
    private static readonly long Limit = TimeSpan.FromSeconds(128).Ticks;

    [Theory]
    [InlineData(1, 2, true), InlineData(2, 1, false), InlineData(1, 1, false)]
    [InlineData(0, (1 << 23) - 1, true), InlineData(0, 1 << 23, false), InlineData(0, (1 << 24) - 1, false)]
    [InlineData((1 << 24) - 1, 0, true), InlineData((1 << 23) + 1, 0, true), InlineData(1 << 23, 0, false)]
    [Trait("RFC", "7641 3.4")]
    public void The_newer_number_is_less_than_half_a_round_ahead(int first, int second, bool passes)
    {
        var filter = new NotificationFilter();

        filter.TryPass((uint)first, 0).Should().BeTrue("it is the first one");
        filter.TryPass((uint)second, 1).Should().Be(passes);
    }

    [Fact]
    [Trait("RFC", "7641 3.4")]
    public void After_128_seconds_any_number_is_newer()
    {
        var filter = new NotificationFilter();
        filter.TryPass(10, 0);

        filter.TryPass(9, Limit).Should().BeFalse();
        filter.TryPass(9, Limit + 1).Should().BeTrue();
        filter.TryPass(8, Limit + 2).Should().BeFalse("the time counts from the newest one");
    }

    // The model: numbers of a server that counts on without end, cut to 24 bits, each within half a round of the newest.
    [Fact]
    [Trait("RFC", "7641 3.4")]
    public void Over_several_rounds_it_agrees_with_a_count_that_does_not_wrap()
    {
        var (random, filter, newest) = (new Random(7), new NotificationFilter(), 1L << 24);
        filter.TryPass(0, 0);
        for (var i = 0; i < 100_000; i++)
        {
            var count = newest + random.NextInt64(-(1 << 23) + 1, 1 << 23);

            filter.TryPass((uint)(count & 0xFFFFFF), 0).Should().Be(count > newest, "seed 7, step {0}", i);

            newest = Math.Max(newest, count);
        }
        newest.Should().BeGreaterThan(100L << 24);
    }
}
