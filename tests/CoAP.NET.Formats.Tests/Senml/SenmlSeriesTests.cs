using System.Text;

namespace CoAP.Formats.Tests;

public sealed class SenmlSeriesTests
{
    private static readonly DateTimeOffset Start = new(2011, 10, 31, 13, 24, 24, TimeSpan.Zero);

    [Fact]
    public void A_series_of_one_sensor_shares_name_unit_and_base_time()
    {
        var series = Enumerable.Range(0, 3).Select(i =>
            new SenmlMeasurement("urn:dev:ow:1", Start.AddSeconds(10 * i), 21.5 + i) { Unit = SenmlUnits.RelativeHumidity });

        Json(SenmlPack.Of(series)).Should().Be("""[{"bn":"urn:dev:ow:1","bt":1320067464,"bu":"%RH","v":21.5},{"t":10,"v":22.5},{"t":20,"v":23.5}]""");
    }

    [Fact]
    public void Sensors_of_one_device_share_the_beginning_of_their_names()
    {
        SenmlMeasurement[] measurements =
        [
            new("urn:dev:ow:1:voltage", Start, 120.1) { Unit = "V" },
            new("urn:dev:ow:1:current", Start, 1.2) { Unit = "A" },
        ];

        Json(SenmlPack.Of(measurements)).Should().Be(
            """[{"bn":"urn:dev:ow:1:","bt":1320067464,"n":"voltage","u":"V","v":120.1},{"n":"current","u":"A","v":1.2}]""");
    }

    [Fact]
    public void A_measurement_without_a_unit_does_not_inherit_one()
    {
        SenmlMeasurement[] measurements =
            [new("a", Start, 1) { Unit = "V" }, new("b", Start, "on"), new("c", Start, 2) { Unit = "V" }, new("d", Start, 3) { Unit = "V" }];

        var pack = SenmlPack.Of(measurements);

        pack.Select(record => record.BaseUnit).Should().Equal(null, null, "V", null);
        pack.ToMeasurements(Start).Should().Equal(measurements);
    }

    [Fact]
    public void A_single_measurement_has_no_base_fields() =>
        Json(SenmlPack.Of([new SenmlMeasurement("urn:dev:ow:1", Start, 1)])).Should().Be("""[{"n":"urn:dev:ow:1","t":1320067464,"v":1}]""");

    [Fact]
    public void Secondary_units_change_the_version() =>
        SenmlPack.Of([new SenmlMeasurement("a", Start, 1) { Unit = SenmlSecondaryUnits.Kilowatt }])[0].BaseVersion.Should().Be(26);

    [Fact]
    public void Random_measurements_survive_each_encoding_and_resolution()
    {
        const int Seed = 8428;
        var random = new Random(Seed);
        for (var i = 0; i < 500; i++)
        {
            var measurements = Enumerable.Range(0, random.Next(1, 12)).Select(_ => Next(random)).ToArray();
            var pack = SenmlPack.Of(measurements);

            SenmlPack[] received =
                [SenmlJson.Read(SenmlJson.ToBytes(pack)), SenmlCbor.Read(SenmlCbor.ToBytes(pack)), SenmlXml.Read(SenmlXml.ToBytes(pack))];
            foreach (var one in received)
            {
                one.ToMeasurements(Start, isSorted: false).Should().Equal(measurements, $"seed {Seed}, run {i}");
                one.Resolve(Start, isSorted: false).ToMeasurements(Start, isSorted: false).Should().Equal(measurements, $"seed {Seed}, run {i}");
            }
        }
    }

    [Fact]
    public void A_series_that_SenML_cannot_express_is_an_error_of_the_caller()
    {
        SenmlMeasurement[][] all =
        [
            [],
            [new("a", Start, null)],
            [new("a", DateTimeOffset.UnixEpoch, 1)],
            [new("a", Start, double.NaN)],
            [new("", Start, 1)],
            [new("a", Start, 1) { UpdateTime = TimeSpan.FromSeconds(-1) }],
        ];

        all.Should().AllSatisfy(measurements => measurements.Invoking(SenmlPack.Of).Should().Throw<ArgumentException>());
    }

    private static SenmlMeasurement Next(Random random)
    {
        SenmlValue[] values =
            [random.NextDouble() * 1e6, random.Next(-5, 100), random.Next() % 2 == 0, "text " + random.Next(), BitConverter.GetBytes(random.Next())];
        var time = DateTimeOffset.UnixEpoch.AddSeconds(random.NextInt64(1L << 28, 1L << 32)).AddMicroseconds(random.Next(2) * random.Next(1_000_000));
        return new SenmlMeasurement("urn:dev:" + random.Next(3), time, random.Next(6) is < 5 and var kind ? values[kind] : (SenmlValue?)null)
        {
            Unit = random.Next(4) switch { 0 => null, 1 => "V", _ => "A" },
            Sum = random.NextDouble(),
            UpdateTime = random.Next(3) == 0 ? TimeSpan.FromMilliseconds(random.Next(1, 100_000)) : null,
        };
    }

    private static string Json(SenmlPack pack) => Encoding.UTF8.GetString(SenmlJson.ToBytes(pack));
}
