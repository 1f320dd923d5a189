using System.Globalization;

namespace CoAP.Formats.Tests;

/// <summary>Times that SenML can express and .NET cannot. They must not cost the record, or the pack.</summary>
public sealed class SenmlTimeRangeTests
{
    private static readonly DateTimeOffset Now = new(2026, 5, 4, 3, 2, 1, TimeSpan.Zero);
    private static readonly double NowInSeconds = Now.ToUnixTimeSeconds();

    [Theory]
    [Trait("RFC", "8428 5"), Trait("RFC", "8428 4.5.3")]
    [InlineData(253_402_300_800, true)]
    [InlineData(1e12, true)]
    [InlineData(double.MaxValue, true)]
    [InlineData(-1e12, false)]
    [InlineData(-double.MaxValue, false)]
    public void A_time_that_no_DateTimeOffset_can_have_is_the_nearest_one_and_its_seconds_are_kept(double time, bool isLate)
    {
        var measurements = Read($$"""[{"n":"a","t":{{Text(time)}},"v":1},{"n":"b","v":2}]""").ToMeasurements(Now, isSorted: false);

        measurements.Select(one => one.Name).Should().Equal("a", "b");
        measurements[0].Time.Should().Be(isLate ? DateTimeOffset.MaxValue : DateTimeOffset.MinValue);
        measurements[0].TimeOutOfRange.Should().Be(isLate ? time : NowInSeconds + time);
        measurements[1].TimeOutOfRange.Should().BeNull();
    }

    [Theory]
    [Trait("RFC", "8428 4.5.3")]
    [InlineData("253402300799.5", "9999-12-31T23:59:59.5Z")]
    [InlineData("-63913460521", "0001-01-01T00:00:00Z")]
    public void The_first_and_the_last_time_of_DateTimeOffset_are_within_its_range(string time, string expected)
    {
        var measurement = Read($$"""[{"n":"a","t":{{time}},"v":1}]""").ToMeasurements(Now)[0];

        measurement.Time.Should().Be(DateTimeOffset.Parse(expected, CultureInfo.InvariantCulture));
        measurement.TimeOutOfRange.Should().BeNull();
    }

    [Theory]
    [Trait("RFC", "8428 5"), Trait("RFC", "8428 4.2")]
    [InlineData(0, true)]
    [InlineData(252_455_616_000, true)]
    [InlineData(252_455_616_001, false)]
    [InlineData(double.MaxValue, false)]
    [InlineData(-1, false)]
    public void An_update_time_that_no_program_expects_is_kept_in_seconds(double seconds, bool isInRange)
    {
        var measurement = Read($$"""[{"n":"a","v":1,"ut":{{Text(seconds)}}}]""").ToMeasurements(Now)[0];

        measurement.UpdateTime.Should().Be(isInRange ? TimeSpan.FromSeconds(seconds) : (TimeSpan?)null);
        measurement.UpdateTimeOutOfRange.Should().Be(isInRange ? (double?)null : seconds);
    }

    [Fact]
    [Trait("RFC", "8428 5"), Trait("RFC", "8428 6"), Trait("RFC", "8428 7")]
    public void Each_encoding_keeps_such_times()
    {
        SenmlPack pack = [new SenmlRecord { Name = "a", Value = 1, BaseTime = 1e300, Time = -5e300, UpdateTime = -1e-300 }];

        SenmlJson.Read(SenmlJson.ToBytes(pack)).Should().Equal(pack);
        SenmlCbor.Read(SenmlCbor.ToBytes(pack)).Should().Equal(pack);
        SenmlXml.Read(SenmlXml.ToBytes(pack)).Should().Equal(pack);
    }

    [Fact]
    [Trait("RFC", "8428 4.6")]
    public void Measurements_are_sorted_by_the_seconds_of_such_times()
    {
        var pack = Read(
            """[{"n":"a","t":1e300,"v":1},{"n":"b","v":1},{"n":"c","t":1e12,"v":1},{"n":"d","t":-1e12,"v":1},{"n":"e","t":-1e99,"v":1}]""");

        pack.ToMeasurements(Now).Select(one => one.Name).Should().Equal("e", "d", "b", "c", "a");
    }

    [Fact]
    [Trait("RFC", "8428 4.6")]
    public void Late_times_can_be_resolved_and_written_as_a_series()
    {
        var pack = Read("""[{"n":"a","t":1e300,"v":1,"ut":-1},{"n":"b","t":1e12,"v":2},{"n":"c","t":1.7e9,"v":3}]""");
        var measurements = pack.ToMeasurements(Now);

        pack.Resolve(Now, isSorted: false).Select(record => record.Time).Should().Equal(1e300, 1e12, 1.7e9);
        SenmlPack.Of(measurements).ToMeasurements(Now).Should().Equal(measurements);
    }

    [Theory]
    [InlineData(1000d)]
    [InlineData(double.NaN)]
    [InlineData(double.PositiveInfinity)]
    public void A_series_with_a_time_that_SenML_cannot_express_is_an_error_of_the_caller(double seconds)
    {
        var series = () => SenmlPack.Of([new("a", DateTimeOffset.MaxValue, 1) { TimeOutOfRange = seconds }]);

        series.Should().Throw<ArgumentException>().WithMessage("Measurement 1*");
    }

    private static SenmlPack Read(string json) => SenmlExamples.Read(json);

    private static string Text(double value) => value.ToString(CultureInfo.InvariantCulture);
}
