using CoAP.Measurements.HandOffs;

namespace CoAP.Measurements.Tests;

public sealed class ConfidenceTests
{
    [Theory] // Tables of Student's distribution, 97.5 %.
    [InlineData(4, 2.776)]
    [InlineData(9, 2.262)]
    [InlineData(29, 2.045)]
    [InlineData(120, 1.980)]
    [InlineData(100_000, 1.960)]
    public void The_quantile_is_that_of_the_tables(int freedom, double expected)
    {
        Confidence.Student(freedom).Should().BeApproximately(expected, 0.001);
    }

    [Fact]
    public void The_bounds_lie_around_the_mean()
    {
        var confidence = Confidence.Of([1, 2, 3, 4, 5]);

        // Mean 3, standard deviation 1.5811, its error 0.7071, times 2.776.
        confidence.Mean.Should().Be(3);
        confidence.Low.Should().BeApproximately(1.037, 0.001);
        confidence.High.Should().BeApproximately(4.963, 0.001);
    }

    [Fact]
    public void One_value_alone_has_no_bounds()
    {
        Confidence.Of([7]).Low.Should().Be(double.NaN);
    }
}
