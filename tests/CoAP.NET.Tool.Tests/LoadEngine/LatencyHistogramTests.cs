using CoAP.Tool.LoadEngine;

namespace CoAP.Tool.Tests.LoadEngine;

public sealed class LatencyHistogramTests
{
    private const int Seed = 4711;

    private readonly LatencyHistogram _cut = new();

    [Theory]
    [InlineData(0.5)]
    [InlineData(0.9)]
    [InlineData(0.99)]
    [InlineData(0.999)]
    [InlineData(0.9999)]
    public void A_percentile_is_less_than_one_percent_above_the_sorted_times(double share)
    {
        var random = new Random(Seed);
        var times = Enumerable.Range(0, 100_000).Select(_ => (long)Math.Exp(random.NextDouble() * 24)).Order().ToArray();
        foreach (var time in times) { _cut.Record(time); }

        var exact = times[(int)Math.Ceiling((share * times.Length) - 1e-6) - 1];

        _cut.Percentile(share).Should().BeInRange(exact, (long)(exact * 1.01), $"seed {Seed}");
    }

    [Theory]
    [InlineData(0)]
    [InlineData(127)]
    [InlineData(128)]
    [InlineData(255)]
    [InlineData(256)]
    [InlineData(1_000_000_007)]
    [InlineData(long.MaxValue)]
    public void A_single_time_is_every_percentile(long time)
    {
        _cut.Record(time);

        new[] { _cut.Percentile(0), _cut.Percentile(0.5), _cut.Percentile(1), _cut.Max }.Should().AllBeEquivalentTo(time);
    }

    [Fact]
    public void Percentile_99_9_of_a_thousand_times_excludes_only_the_longest()
    {
        for (var time = 1; time <= 1_000; time++) { _cut.Record(time == 1_000 ? 1_000_000 : 100); }

        _cut.Percentile(0.999).Should().Be(100);
        _cut.Percentile(0.9991).Should().Be(1_000_000);
    }

    [Fact]
    public void Small_times_are_kept_apart_and_the_steps_ascend()
    {
        for (var time = 1L; time < 10_000_000_000; time = (time * 17 / 16) + 1) { _cut.Record(time); }

        _cut.Steps.Where(static step => step.Nanoseconds < 128).Should().OnlyContain(static step => step.Count == 1);
        _cut.Steps.Select(static step => step.Nanoseconds).Should().BeInAscendingOrder();
        _cut.Steps.Sum(static step => step.Count).Should().Be(_cut.Count);
    }

    [Fact]
    public void The_sum_of_two_counts_both()
    {
        var other = new LatencyHistogram();
        for (var count = 0; count < 90; count++) { _cut.Record(1_000); }
        for (var count = 0; count < 10; count++) { other.Record(1_000_000); }

        _cut.Add(other);

        (_cut.Count, _cut.Max).Should().Be((100, 1_000_000));
        _cut.Percentile(0.9).Should().BeInRange(1_000, 1_010);
        _cut.Percentile(0.91).Should().Be(1_000_000);
    }

    [Fact]
    public void A_time_below_zero_counts_as_none()
    {
        _cut.Record(-5);

        _cut.Count.Should().Be(1);
        _cut.Percentile(1).Should().Be(0);
    }

    [Fact]
    public void Without_times_every_percentile_is_zero()
    {
        _cut.Record(5);
        _cut.Clear();

        new[] { _cut.Count, _cut.Max, _cut.Percentile(0.99) }.Should().AllBeEquivalentTo(0L);
    }
}
