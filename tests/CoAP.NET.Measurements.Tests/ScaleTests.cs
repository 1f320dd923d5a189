using CoAP.Measurements.HandOffs.Pictures;

namespace CoAP.Measurements.Tests;

public sealed class ScaleTests
{
    [Theory]
    [InlineData(10.0, 10.0)]
    [InlineData(320.0, 335.0)]
    [InlineData(40.0, 105.0)]
    [InlineData(150.0, 40_000.0)]
    [InlineData(9.0, 12_000_000.0)]
    public void A_logarithmic_side_has_a_handful_of_ticks_within_its_values(double least, double most)
    {
        var scale = new Scale([least, most], isLog: true, length: 100);

        var places = scale.Ticks.Select(scale.At).ToArray();

        places.Should().HaveCountGreaterThanOrEqualTo(2).And.HaveCountLessThanOrEqualTo(6);
        places.Should().BeInAscendingOrder().And.OnlyContain(static place => place >= -0.001 && place <= 100.001);
    }

    [Fact]
    public void A_decade_is_as_long_as_the_next_one()
    {
        var scale = new Scale([1, 10_000], isLog: true, length: 100);

        (scale.At(100) - scale.At(10)).Should().BeApproximately(scale.At(1_000) - scale.At(100), 1e-9);
    }

    [Theory]
    [InlineData(64.0, "64")]
    [InlineData(2_073.0, "2.07k")]
    [InlineData(12_000_000.0, "12M")]
    public void Labels_are_short(double value, string label)
    {
        Scale.Label(value).Should().Be(label);
    }
}
