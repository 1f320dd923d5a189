namespace CoAP.Benchmarks.Reporting.Tests;

public sealed class RunsTests
{
    [Fact]
    public void Quantiles_are_interpolated()
    {
        var runs = new Runs([4, 1, 3, 2]);

        (runs.Median, runs.Quantile(0.25), runs.Least, runs.Most, runs.Mean).Should().Be((2.5, 1.75, 1, 4, 2.5));
    }

    [Fact]
    public void The_bounds_lie_around_the_mean()
    {
        // The mean is 3, the standard deviation 1.5811, and the error of the mean 0.7071.
        new Runs([1, 2, 3, 4, 5]).Confidence.Should().BeApproximately(1.386, 0.001);
    }

    [Theory]
    [InlineData(0.12346, "0.1235")]
    [InlineData(12.345, "12.35")]
    [InlineData(123_456.7, "123,457")]
    [InlineData(0, "0")]
    [InlineData(double.NaN, "")]
    public void A_figure_has_four_significant_digits(double value, string expected) => Runs.Format(value).Should().Be(expected);
}
