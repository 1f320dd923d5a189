using CoAP.Measurements.Servers.Load;

namespace CoAP.Measurements.Tests;

public sealed class LatenciesTests
{
    [Fact]
    public void Small_values_are_kept_apart_and_large_ones_within_a_32nd()
    {
        var latencies = new Latencies();
        for (var value = 1L; value < 10_000_000_000; value = value * 17 / 16 + 1) { latencies.Add(value); }

        var steps = latencies.Steps.Where(static step => step.Nanoseconds < 64).ToArray();

        steps.Should().OnlyContain(static step => step.Count == 1);
        latencies.Steps.Select(static step => step.Nanoseconds).Should().BeInAscendingOrder();
    }

    [Theory]
    [InlineData(1_000)]
    [InlineData(123_456)]
    [InlineData(9_999_999_999)]
    public void A_percentile_is_not_below_the_value_and_at_most_a_32nd_above_it(long nanoseconds)
    {
        var latencies = new Latencies();
        latencies.Add(nanoseconds);

        var median = latencies.Percentile(0.5) * 1e6;

        median.Should().BeInRange(nanoseconds, nanoseconds * (1 + 1 / 32.0) + 1);
    }
}
