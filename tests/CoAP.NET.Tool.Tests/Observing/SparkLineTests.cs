using CoAP.Tool.Observing;

namespace CoAP.Tool.Tests.Observing;

public sealed class SparkLineTests
{
    [Fact]
    public void The_smallest_value_has_the_lowest_bar_and_the_largest_the_highest() => SparkLine.Of([1, 2, 3, 4, 5, 6, 7, 8]).Should().Be("▁▂▃▄▅▆▇█");

    [Fact]
    public void Equal_values_have_bars_of_medium_height() => SparkLine.Of([5, 5, 5]).Should().Be("▅▅▅");

    [Fact]
    public void Values_that_are_not_finite_are_gaps() => SparkLine.Of([0, double.NaN, 10, double.PositiveInfinity]).Should().Be("▁ █ ");

    [Fact]
    public void The_largest_numbers_do_not_overflow() => SparkLine.Of([double.MinValue, double.MaxValue]).Should().Be("▁█");

    [Fact]
    public void No_values_give_an_empty_line() => SparkLine.Of([]).Should().BeEmpty();

    [Fact]
    public void A_series_keeps_the_last_forty_values_and_all_extremes()
    {
        var series = new Series("t", null);

        for (var value = 0; value < 100; value++) { series.Add(value); }

        series.Values.Should().Equal(Enumerable.Range(60, 40).Select(static value => (double)value));
        (series.Last, series.Least, series.Most).Should().Be((99, 0, 99));
    }
}
