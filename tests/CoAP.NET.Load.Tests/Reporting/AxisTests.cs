using CoAP.Reporting;

namespace CoAP.Load.Tests;

public sealed class AxisTests
{
    [Theory]
    [InlineData(10.0, 10.0)]
    [InlineData(320.0, 335.0)]
    [InlineData(40.0, 105.0)]
    [InlineData(150.0, 40_000.0)]
    [InlineData(9.0, 12_000_000.0)]
    public void A_logarithmic_side_has_a_handful_of_ticks_within_its_values(double least, double most)
    {
        var axis = new Axis([least, most], isLog: true, length: 100);

        var places = axis.Ticks.Select(axis.At).ToArray();

        places.Should().HaveCountGreaterThanOrEqualTo(2).And.HaveCountLessThanOrEqualTo(6);
        places.Should().BeInAscendingOrder().And.OnlyContain(static place => place >= -0.001 && place <= 100.001);
    }

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
