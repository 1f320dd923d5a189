namespace CoAP.Formats.Tests;

public sealed class SenmlUnitsTests
{
    [Fact]
    [Trait("RFC", "8428 12.1")]
    public void The_primary_units_are_those_of_the_registry() =>
        string.Join(' ', Constants(typeof(SenmlUnits))).Should().Be(
            "m kg g s A K cd mol Hz rad sr N Pa J W C V F Ohm S Wb T H Cel lm lx Bq Gy Sv kat m2 m3 l m/s m/s2 m3/s l/s W/m2 cd/m2 bit bit/s "
            + "lat lon pH dB dBW Bspl count / % %RH %EL EL 1/s 1/min beat/min beats S/m B VA VAs var vars J/m kg/m3 deg");

    [Fact]
    public void Each_secondary_unit_is_one_and_no_primary_unit_is()
    {
        Constants(typeof(SenmlSecondaryUnits)).Should().OnlyContain(unit => SenmlSecondaryUnits.IsSecondary(unit));
        Constants(typeof(SenmlUnits)).Should().NotContain(unit => SenmlSecondaryUnits.IsSecondary(unit));
    }

    [Theory]
    [InlineData(100, "ms", 0.1, "s")]
    [InlineData(10, "dBm", -20, "dBW")]
    [InlineData(2, "kWh", 7_200_000, "J")]
    [InlineData(36, "km/h", 10, "m/s")]
    [InlineData(50, "/100", 0.5, "/")]
    [InlineData(1013, "hPa", 101_300, "Pa")]
    public void Secondary_units_are_converted(double value, string unit, double expected, string expectedUnit)
    {
        SenmlSecondaryUnits.TryConvert(ref value, ref unit).Should().BeTrue();

        value.Should().BeApproximately(expected, 1e-12);
        unit.Should().Be(expectedUnit);
        SenmlSecondaryUnits.TryConvert(ref value, ref unit).Should().BeFalse();
    }

    private static string[] Constants(Type type) =>
        [.. type.GetFields().Where(field => field.IsLiteral).Select(field => (string)field.GetRawConstantValue()!)];
}
