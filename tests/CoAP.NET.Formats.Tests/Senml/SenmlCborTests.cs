using System.Formats.Cbor;

namespace CoAP.Formats.Tests;

public sealed class SenmlCborTests
{
    [Fact]
    [Trait("RFC", "8428 6")]
    public void The_example_of_the_RFC_is_read()
    {
        var expected = SenmlExamples.Read(SenmlExamples.Series).ToArray();
        expected[^1] = expected[^1] with { Time = 0 };

        SenmlCbor.Read(SenmlExamples.FromHex(SenmlExamples.SeriesInCbor)).Should().Equal(expected);
    }

    [Fact]
    [Trait("RFC", "8428 6")]
    public void The_example_of_the_RFC_is_written_byte_for_byte()
    {
        var bytes = SenmlExamples.FromHex(SenmlExamples.SeriesInCbor);

        SenmlCbor.ToBytes(SenmlCbor.Read(bytes)).Should().Equal(bytes);
    }

    [Theory]
    [Trait("RFC", "8428 6")]
    [MemberData(nameof(SenmlExamples.Packs), MemberType = typeof(SenmlExamples))]
    public void Packs_mean_the_same_in_JSON_and_CBOR(string json)
    {
        var pack = SenmlExamples.Read(json);

        SenmlCbor.Read(SenmlCbor.ToBytes(pack)).Should().Equal(pack);
    }

    [Fact]
    [Trait("RFC", "8428 6"), Trait("RFC", "8428 12.2")]
    public void Each_field_has_its_integer_as_the_label()
    {
        var record = new SenmlRecord
        {
            BaseName = "a",
            BaseTime = 1,
            BaseUnit = "b",
            BaseValue = 2,
            BaseSum = 3,
            BaseVersion = 10,
            Name = "c",
            Unit = "d",
            Value = 4,
            Sum = 5,
            Time = 6,
            UpdateTime = 7,
        };
        SenmlPack pack =
            [record, new SenmlRecord { TextValue = "e" }, new SenmlRecord { BooleanValue = true }, new SenmlRecord { DataValue = new byte[1] }];
        var reader = new System.Formats.Cbor.CborReader(SenmlCbor.ToBytes(pack));

        reader.ReadStartArray().Should().Be(4);
        Labels(reader).Should().Equal(-2, -3, -4, -5, -6, -1, 0, 1, 6, 2, 5, 7);
        Labels(reader).Should().Equal(3);
        Labels(reader).Should().Equal(4);
        Labels(reader).Should().Equal(8);
    }

    [Fact]
    [Trait("RFC", "8428 6")]
    public void The_array_has_a_definite_length_and_data_are_a_byte_string_of_definite_length() =>
        SenmlCbor.ToBytes([new SenmlRecord { Name = "a", DataValue = new byte[] { 1, 2 } }])
            .Should().Equal(SenmlExamples.FromHex("81 a2 00 61 61 08 42 01 02"));

    [Theory]
    [Trait("RFC", "8428 6")]
    [InlineData(0, "00")]
    [InlineData(-1, "20")]
    [InlineData(4294967295, "1affffffff")]
    [InlineData(4294967296, "fa4f800000")]
    [InlineData(1.5, "f93e00")]
    [InlineData(-0.0, "f98000")]
    [InlineData(23.1, "fb403719999999999a")]
    public void Numbers_have_the_shortest_form_with_the_same_value(double value, string hex)
    {
        var bytes = SenmlCbor.ToBytes([new SenmlRecord { Name = "a", Value = value }]);

        Convert.ToHexStringLower(bytes).Should().Be("81a200616102" + hex);
        BitConverter.DoubleToInt64Bits(SenmlCbor.Read(bytes)[0].Value!.Value).Should().Be(BitConverter.DoubleToInt64Bits(value));
    }

    [Theory]
    [Trait("RFC", "8428 6")]
    [InlineData("c4822018e7", 23.1)]
    [InlineData("c48221196ab3", 273.15)]
    [InlineData("c482390142c249010000000000000000", 1.8446744073709551616e-304)]
    [InlineData("c48220c3420100", -25.7)]
    [InlineData("1b0020000000000001", 9007199254740992)]
    [InlineData("fa47c35000", 100000)]
    public void Integers_floats_and_decimal_fractions_are_numbers(string hex, double value) =>
        Read("81a200616102" + hex)[0].Value.Should().Be(value);

    [Fact]
    [Trait("RFC", "8428 4.4")]
    public void Unknown_labels_are_ignored_and_simple_values_kept() =>
        Read("81a7 00 6161 02 01 6178 820102 6179 41ff 617a f5 18ff 05 2f a0")[0].Should().Be(
            new SenmlRecord { Name = "a", Value = 1, Extensions = [new("y", new byte[] { 0xff }), new("z", true)] });

    [Fact]
    [Trait("RFC", "8428 4.4")]
    public void An_unknown_label_that_must_be_understood_is_an_error() =>
        Error("81a2 00 6161 62785f 01").Should().Contain("field 'x_' must be understood");

    [Theory]
    [InlineData("80", "The pack has no record; at least 1 is required (at byte 1).")]
    [InlineData("8101", "Record 1: it is a number; a map is required (at byte 1).")]
    [InlineData("81a0", "Record 1: it has no field (at byte 1).")]
    [InlineData("82a2006161026131", "Record 1: field 'v' is a text; a number is required (at byte 6).")]
    [InlineData("81a2006161024131", "Record 1: field 'v' is a byte string; a number is required (at byte 6).")]
    [InlineData("81a200616102f97e00", "Record 1: field 'v' is not a finite number (at byte 6).")]
    [InlineData("81a200616102c100", "Record 1: field 'v' is a time; a number is required (at byte 6).")]
    [InlineData("81a200616102c24101", "Record 1: field 'v' is a tagged item; a number is required (at byte 6).")]
    [InlineData("81a3006161020102", "Record 1: field 'v' occurs twice (at byte 7).")]
    [InlineData("81a2006161617601", "Record 1: field 'v' has a text as its label; 2 is required (RFC 8428, section 6) (at byte 5).")]
    [InlineData("81a14100", "Record 1: a label is a byte string; an integer or a text is required (at byte 2).")]
    [InlineData("81a300616102012020", "Record 1: field 'bver' is -1; a positive integer is required (at byte 8).")]
    [InlineData("81a3006161020120f94900", "Record 1: field 'bver' is a number; an unsigned integer is required (RFC 8428, section 6) (at byte 8).")]
    [InlineData("81a200616108616b", "Record 1: field 'vd' is a text; a byte string is required (at byte 6).")]
    public void Errors_name_the_record_and_the_field(string hex, string message) => Error(hex).Should().Be(message);

    [Theory]
    [InlineData("")]
    [InlineData("a0")]
    [InlineData("82a20061610201")]
    [InlineData("81a2006161020100")]
    [InlineData("81a200616102c48120")]
    [InlineData("81a200616102c483202020")]
    [InlineData("81a20061ff0201")]
    public void Malformed_CBOR_is_an_error(string hex) => Error(hex).Should().Contain("(at byte ");

    [Fact]
    [Trait("RFC", "8428 12.3")]
    public void The_format_handles_packs_as_Content_Format_112()
    {
        IPayloadFormat format = new SenmlCborFormat();
        var output = new System.Buffers.ArrayBufferWriter<byte>();
        format.Write(output, SenmlExamples.Read(SenmlExamples.SingleDatapoint));

        format.ContentFormat.Should().Be(112);
        format.Handles(typeof(SenmlPack)).Should().BeTrue();
        format.Read<SenmlPack>(output.WrittenMemory)[0].Value.Should().Be(23.1);
    }

    private static SenmlPack Read(string hex) => SenmlCbor.Read(SenmlExamples.FromHex(hex));

    private static string Error(string hex) => hex.Invoking(Read).Should().Throw<CoapPayloadException>().Which.Message;

    private static List<int> Labels(System.Formats.Cbor.CborReader reader)
    {
        var labels = new List<int>();
        reader.ReadStartMap();
        while (reader.PeekState() != CborReaderState.EndMap)
        {
            labels.Add(reader.ReadInt32());
            reader.SkipValue();
        }
        reader.ReadEndMap();
        return labels;
    }
}
