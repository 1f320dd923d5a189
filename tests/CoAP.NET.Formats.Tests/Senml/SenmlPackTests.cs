using System.Globalization;
using System.Text;

namespace CoAP.Formats.Tests;

public sealed class SenmlPackTests
{
    private static readonly DateTimeOffset Now = new(2026, 5, 4, 3, 2, 1, TimeSpan.Zero);

    [Fact]
    [Trait("RFC", "8428 5.1.3"), Trait("RFC", "8428 5.1.4")]
    public void The_example_is_resolved_as_the_RFC_shows() =>
        SenmlExamples.Read(SenmlExamples.MultipleMeasurements).Resolve(Now).Should().Equal(SenmlExamples.Read(SenmlExamples.ResolvedMeasurements));

    [Fact]
    [Trait("RFC", "8428 4.6")]
    public void A_resolved_pack_stays_as_it_is_when_it_is_resolved_again()
    {
        var resolved = SenmlExamples.Read(SenmlExamples.ResolvedMeasurements);

        resolved.Resolve(Now).Should().Equal(resolved);
    }

    [Fact]
    [Trait("RFC", "8428 4.6")]
    public void Resolved_records_are_in_chronological_order_and_keep_their_order_at_the_same_time()
    {
        var pack = SenmlExamples.Read("""[{"n":"a","t":3,"v":1},{"n":"b","t":-2,"v":2},{"n":"c","t":3,"v":3}]""");

        pack.Resolve(Now).Select(record => record.Name).Should().Equal("b", "a", "c");
        pack.Resolve(Now, isSorted: false).Select(record => record.Name).Should().Equal("a", "b", "c");
        pack.ToMeasurements(Now).Select(one => one.Name).Should().Equal("b", "a", "c");
        pack.ToMeasurements(Now, isSorted: false).Select(one => one.Name).Should().Equal("a", "b", "c");
    }

    [Fact]
    [Trait("RFC", "8428 4.6")]
    public void The_version_is_in_all_resolved_records_unless_it_is_10()
    {
        SenmlExamples.Read(SenmlExamples.Series).Resolve(Now).Should().OnlyContain(record => record.BaseVersion == 5);
        SenmlExamples.Read("""[{"n":"a","bver":10,"v":1}]""").Resolve(Now)[0].BaseVersion.Should().BeNull();
    }

    [Fact]
    [Trait("RFC", "8428 5.1.6"), Trait("RFC", "8428 4.1")]
    public void A_base_field_applies_until_a_record_has_the_same_base_field()
    {
        var names = SenmlExamples.Read(SenmlExamples.Collection).Resolve(Now);

        names.Select(record => record.Name)
            .Should().Equal("2001:db8::2/temperature", "2001:db8::2/humidity", "2001:db8::1/temperature", "2001:db8::1/humidity");
        names.Should().OnlyContain(record => record.Time == 1320078429);
    }

    [Fact]
    [Trait("RFC", "8428 5.1.7"), Trait("RFC", "8428 4.9")]
    public void A_record_with_only_base_fields_is_no_measurement() =>
        SenmlExamples.Read(SenmlExamples.Thermostat).ToMeasurements(Now).Select(one => one.Value!.Value.Number).Should().Equal(23.1, 1, 0);

    [Theory]
    [Trait("RFC", "8428 4.5.3")]
    [InlineData("0", "2026-05-04T03:02:01Z")]
    [InlineData("-5", "2026-05-04T03:01:56Z")]
    [InlineData("0.02", "2026-05-04T03:02:01.02Z")]
    [InlineData("268435455", "2034-11-05T00:26:16Z")]
    [InlineData("268435456", "1978-07-04T21:24:16Z")]
    [InlineData("1.276020076001e+09", "2010-06-08T18:01:16.001Z")]
    public void Times_below_2_to_the_28_are_relative_to_now(string time, string expected)
    {
        var measurement = SenmlExamples.Read($$"""[{"n":"a","t":{{time}},"v":1}]""").ToMeasurements(Now)[0];

        measurement.Time.Should().Be(DateTimeOffset.Parse(expected, CultureInfo.InvariantCulture));
    }

    [Fact]
    [Trait("RFC", "8428 4.5.3")]
    public void Base_time_and_time_are_added_before_they_are_compared_with_2_to_the_28()
    {
        var pack = SenmlExamples.Read("""[{"n":"a","bt":268435450,"t":6,"v":1},{"n":"a","t":5,"v":1}]""");

        pack.Resolve(Now, isSorted: false).Select(record => record.Time).Should().Equal(268435456, 1777863721 + 268435455.0);
    }

    [Fact]
    [Trait("RFC", "8428 4.5.4")]
    public void Base_value_and_base_sum_are_added_and_missing_parts_are_zero()
    {
        var pack = SenmlExamples.Read("""[{"bn":"a","bv":20,"bs":100,"v":1,"s":2},{"v":0.5},{"s":3},{"t":1},{"vs":"x"}]""");

        var records = pack.Resolve(Now);

        records.Select(record => record.Value).Should().Equal(21, 20.5, 20, null, 20);
        records.Select(record => record.Sum).Should().Equal(102, 100, 103, 100, 100);
    }

    [Fact]
    [Trait("RFC", "8428 4.5.2")]
    public void The_unit_of_a_record_wins_over_the_base_unit() =>
        SenmlExamples.Read("""[{"bn":"a","v":1},{"bu":"W","v":1},{"u":"V","v":1},{"v":1}]""").Resolve(Now).Select(record => record.Unit)
            .Should().Equal(null, "W", "V", "W");

    [Fact]
    [Trait("RFC", "8428 5.1.5")]
    public void Measurements_have_typed_values()
    {
        var values = SenmlExamples.Read(SenmlExamples.MultipleTypes).ToMeasurements(Now).Select(one => one.Value!.Value).ToArray();

        values[0].Number.Should().Be(23.1);
        values[1].Text.Should().Be("Machine Room");
        values[2].Boolean.Should().BeFalse();
        values[3].Data.ToArray().Should().Equal("hi \n"u8.ToArray());
        values[0].Invoking(value => value.Text).Should().Throw<CoapPayloadException>().WithMessage("The value is a number; a text is required.");
    }

    [Theory]
    [Trait("RFC", "8428 4.5.1")]
    [InlineData("urn:dev:ow:10e2073a01080063", true)]
    [InlineData("A-z.0/9_:", true)]
    [InlineData("a b", false)]
    [InlineData("ä", false)]
    [InlineData("http://[2001:db8::1]", false)]
    [InlineData("/3/0", false)]
    [InlineData("-a", false)]
    [InlineData("", false)]
    public void Names_consist_of_the_characters_of_the_RFC(string name, bool isValid)
    {
        SenmlPack asName = [new SenmlRecord { Name = name, Value = 1 }];
        SenmlPack asBaseName = [new SenmlRecord { BaseName = name, Value = 1 }];

        foreach (var pack in new[] { asName, asBaseName })
        {
            var write = () => SenmlJson.ToBytes(pack);
            if (isValid) { write.Should().NotThrow(); }
            else { write.Should().Throw<ArgumentException>().WithMessage("Record 1: *"); }
        }
    }

    [Fact]
    [Trait("RFC", "8428 4.5.1")]
    public void The_first_character_of_a_name_is_that_of_the_base_name_if_there_is_one() =>
        SenmlExamples.Read("""[{"bn":"a","n":"/b","v":1}]""").Resolve(Now)[0].Name.Should().Be("a/b");

    [Fact]
    public void Names_of_LwM2M_are_read_if_the_settings_allow_any_name()
    {
        var json = """[{"bn":"/3/0/","n":"0","vs":"x"}]"""u8.ToArray();
        var settings = new SenmlSettings { AllowsAnyName = true };

        SenmlJson.Read(json, settings: settings).ToMeasurements(Now, settings: settings)[0].Name.Should().Be("/3/0/0");
        json.Invoking(bytes => SenmlJson.Read(bytes)).Should().Throw<CoapPayloadException>();
    }

    [Theory]
    [Trait("RFC", "8428 4.2")]
    [InlineData("""[{"n":"a","v":1,"vs":"b"}]""", "it has 2 values; at most 1 is allowed (RFC 8428, section 4.2)")]
    [InlineData("""[{"n":"a","vb":true,"vd":"","s":1}]""", "it has 2 values; at most 1 is allowed (RFC 8428, section 4.2)")]
    [InlineData("""[{"n":"a","u":"W"}]""", "it has neither a value nor a sum (RFC 8428, section 4.2)")]
    [InlineData("""[{"v":1}]""", "it has neither a name nor a base name (RFC 8428, section 4.2)")]
    [InlineData("""[{"n":"a","bt":1e308,"t":1e308,"v":1}]""", "the time is not a finite number")]
    [InlineData("""[{"n":"a","bv":1e308,"v":1e308}]""", "the value is not a finite number")]
    [InlineData("""[{"n":"a","bs":1e308,"s":1e308}]""", "the sum is not a finite number")]
    public void Records_that_break_a_rule_are_errors(string json, string message) =>
        json.Invoking(SenmlExamples.Read).Should().Throw<CoapPayloadException>().WithMessage($"Record 1: {message} (at byte 1).");

    [Fact]
    [Trait("RFC", "8428 4.2")]
    public void A_record_with_a_sum_needs_no_value()
    {
        var measurement = SenmlExamples.Read("""[{"n":"a","s":5,"u":"W","ut":90}]""").ToMeasurements(Now)[0];

        measurement.Should().Be(new SenmlMeasurement("a", Now, null) { Sum = 5, Unit = "W", UpdateTime = TimeSpan.FromSeconds(90) });
    }

    [Theory]
    [Trait("RFC", "8428 4.4")]
    [InlineData("[5]", true)]
    [InlineData("[10]", true)]
    [InlineData("[26]", true)]
    [InlineData("[0]", false)]
    [InlineData("[11]", false)]
    [InlineData("[16]", false)]
    [InlineData("[42]", false)]
    [InlineData("[null,10]", true)]
    [InlineData("[5,5,null]", true)]
    [InlineData("[5,10]", false)]
    [InlineData("[null,5]", false)]
    public void Versions_are_supported_and_the_same_in_all_records(string versions, bool isValid)
    {
        var all = System.Text.Json.JsonSerializer.Deserialize<int?[]>(versions)!;
        var pack = new SenmlPack(all.Select(version => new SenmlRecord { Name = "a", Value = 1, BaseVersion = version }));
        var resolve = () => pack.Resolve(Now);

        if (isValid) { resolve.Should().NotThrow(); }
        else { resolve.Should().Throw<CoapPayloadException>().WithMessage("*version*"); }
    }

    [Theory]
    [Trait("RFC", "8428 4.4")]
    [InlineData(11, null)]
    [InlineData(10, 5)]
    [InlineData(null, 5)]
    public void A_pack_with_another_version_is_neither_read_nor_written_nor_used(int? first, int? second)
    {
        SenmlPack pack =
        [
            new SenmlRecord { Name = "a", Value = 1, BaseVersion = first },
            new SenmlRecord { Name = "b", Value = 1, BaseVersion = second },
        ];
        var json = $$"""[{{{Json(first)}}"n":"a","v":1},{{{Json(second)}}"n":"b","v":1}]""";
        byte[] cbor = [0x82, .. Cbor(first, 'a'), .. Cbor(second, 'b')];
        var records = $"""<senml {Xml(first)} n="a" v="1"/><senml {Xml(second)} n="b" v="1"/>""";
        var xml = Encoding.UTF8.GetBytes($"""<sensml xmlns="urn:ietf:params:xml:ns:senml">{records}</sensml>""");

        pack.Invoking(static one => SenmlJson.ToBytes(one)).Should().Throw<ArgumentException>().WithMessage("*version*");
        pack.Invoking(static one => one.ToMeasurements(Now)).Should().Throw<CoapPayloadException>().WithMessage("*version*");
        json.Invoking(SenmlExamples.Read).Should().Throw<CoapPayloadException>().WithMessage("*version*");
        cbor.Invoking(static one => SenmlCbor.Read(one)).Should().Throw<CoapPayloadException>().WithMessage("*version*");
        xml.Invoking(static one => SenmlXml.Read(one)).Should().Throw<CoapPayloadException>().WithMessage("*version*");
        json.Invoking(static one => SenmlStream.Read(new MemoryStream(Encoding.UTF8.GetBytes(one)), ContentFormats.SensmlJson).ToList())
            .Should().Throw<CoapPayloadException>().WithMessage("*version*");

        static string Json(int? version) => version is null ? "" : $"\"bver\":{version},";
        static string Xml(int? version) => version is null ? "" : $"bver=\"{version}\"";
        static byte[] Cbor(int? version, char name) => version is { } number
            ? [0xa3, 0x20, (byte)number, 0x00, 0x61, (byte)name, 0x02, 0x01]
            : [0xa2, 0x00, 0x61, (byte)name, 0x02, 0x01];
    }

    [Fact]
    [Trait("RFC", "8428 4.4")]
    public void Extensions_stay_in_resolved_records_and_unknown_base_fields_do_not() =>
        SenmlExamples.Read("""[{"n":"a","v":1,"x":1,"bx":2}]""").Resolve(Now)[0].Extensions.Should().Equal(new SenmlExtension("x", 1.0));

    [Fact]
    public void Long_names_are_an_error()
    {
        var json = $$"""[{"bn":"{{new string('a', 200)}}","n":"{{new string('b', 56)}}","v":1}]""";

        json.Invoking(SenmlExamples.Read).Should().Throw<CoapPayloadException>()
            .WithMessage("Record 1: the name has 256 characters; at most 255 are allowed (at byte 1).");
    }

    [Fact]
    [Trait("RFC", "8428 4.5.3")]
    public void A_time_before_1978_cannot_be_resolved_but_measured()
    {
        var pack = SenmlExamples.Read("""[{"n":"a","t":-1700000000,"v":1}]""");

        pack.Invoking(one => one.Resolve(Now)).Should().Throw<CoapPayloadException>();
        pack.ToMeasurements(Now)[0].Time.Year.Should().Be(1972);
    }

    [Theory]
    [InlineData(double.NaN)]
    [InlineData(double.NegativeInfinity)]
    public void Numbers_that_are_not_finite_cannot_be_written(double value)
    {
        SenmlPack pack = [new SenmlRecord { Name = "a", Value = value }];

        pack.Invoking(SenmlJsonBytes).Should().Throw<ArgumentException>().WithMessage("Record 1: the value is not a finite number.*");
    }

    [Fact]
    public void Records_that_no_receiver_could_read_cannot_be_written()
    {
        SenmlPack[] packs =
        [
            [],
            [new SenmlRecord()],
            [new SenmlRecord { Name = "a", Value = 1, TextValue = "b" }],
            [new SenmlRecord { Name = "a", Unit = "W" }],
            [new SenmlRecord { Name = "a", TextValue = "\ud800" }],
            [new SenmlRecord { Name = "a", Value = 1, Extensions = [new("v", 1.0)] }],
            [new SenmlRecord { Name = "a", Value = 1, Extensions = [new("", 1.0)] }],
            [new SenmlRecord { Name = "a", Value = 1, Extensions = [new("x y", 1.0)] }],
            [new SenmlRecord { Name = "a", Value = 1, Extensions = [new("x", 1.0), new("x", 2.0)] }],
        ];

        packs.Should().AllSatisfy(pack => pack.Invoking(SenmlJsonBytes).Should().Throw<ArgumentException>());
    }

    [Fact]
    public void A_clock_gives_now()
    {
        var pack = SenmlExamples.Read(SenmlExamples.SingleDatapoint);

        pack.ToMeasurements(new FixedTime(Now))[0].Time.Should().Be(Now);
        pack.Resolve(new FixedTime(Now))[0].Time.Should().Be(Now.ToUnixTimeSeconds());
    }

    private static byte[] SenmlJsonBytes(SenmlPack pack) => SenmlJson.ToBytes(pack);

    private sealed class FixedTime(DateTimeOffset now) : TimeProvider
    {
        public override DateTimeOffset GetUtcNow() => now;
    }
}
