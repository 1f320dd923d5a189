namespace CoAP.Benchmarks.Reporting.Tests;

public sealed class AxisTests
{
    [Fact]
    public void Decades_are_equally_long()
    {
        var axis = new Axis([1, 10_000], isLog: true, length: 100);

        (axis.At(100) - axis.At(10)).Should().BeApproximately(axis.At(1_000) - axis.At(100), 1e-9);
    }

    [Fact]
    public void A_linear_side_begins_at_0() => new Axis([40, 80], isLog: false, length: 100).At(40).Should().Be(50);

    [Theory]
    [InlineData(64.0, "64")]
    [InlineData(2_073.0, "2.073k")]
    [InlineData(12_000_000.0, "12M")]
    public void Labels_are_short(double value, string label) => Axis.Label(value).Should().Be(label);
}
