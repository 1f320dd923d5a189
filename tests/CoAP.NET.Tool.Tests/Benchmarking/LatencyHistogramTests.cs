using CoAP.Tool.Benchmarking;

namespace CoAP.Tool.Tests.Benchmarking;

public sealed class LatencyHistogramTests
{
    [Theory]
    [InlineData(0.5)]
    [InlineData(0.9)]
    [InlineData(0.99)]
    [InlineData(0.999)]
    [InlineData(1)]
    public void A_percentile_is_less_than_2_percent_above_the_sorted_value(double share)
    {
        var random = new Random(7);
        long[] all = [.. Enumerable.Range(0, 10_000).Select(_ => (long)Math.Exp(random.NextDouble() * 24))];
        var cut = new LatencyHistogram();

        foreach (var value in all) { cut.Record(value); }

        Array.Sort(all);
        var exact = all[(int)Math.Ceiling(share * all.Length) - 1];
        cut.Percentile(share).TotalNanoseconds.Should().BeInRange(exact - 100, (exact * 1.02) + 100);
        cut.Max.Should().Be(all[^1]);
    }

    [Fact]
    public void The_sum_of_two_counts_both()
    {
        var (cut, other) = (new LatencyHistogram(), new LatencyHistogram());
        for (var count = 0; count < 90; count++) { cut.Record(1000); }
        for (var count = 0; count < 10; count++) { other.Record(1_000_000); }

        cut.Add(other);

        cut.Count.Should().Be(100);
        cut.Percentile(0.9).TotalMicroseconds.Should().BeInRange(0.9, 1.1);
        cut.Percentile(0.91).TotalMicroseconds.Should().BeInRange(990, 1020);
    }

    [Theory]
    [InlineData(-5, 0)]
    [InlineData(0, 0)]
    [InlineData(long.MaxValue, long.MaxValue)]
    public void Extreme_times_have_a_bucket(long value, long expected)
    {
        var cut = new LatencyHistogram();

        cut.Record(value);

        cut.Percentile(1).Should().Be(LatencyHistogram.ToTime(expected));
        new LatencyHistogram().Percentile(0.5).Should().Be(TimeSpan.Zero);
    }
}
