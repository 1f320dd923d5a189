using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace CoAP.Formats.Tests;

public sealed class SenmlJsonTests
{
    [Theory]
    [Trait("RFC", "8428 5.1")]
    [MemberData(nameof(SenmlExamples.Packs), MemberType = typeof(SenmlExamples))]
    public void Examples_of_the_RFC_are_read_and_written_with_the_same_content(string json)
    {
        var written = SenmlJson.ToBytes(SenmlExamples.Read(json));

        JsonNode.DeepEquals(Plain(JsonNode.Parse(written)), Plain(JsonNode.Parse(json))).Should().BeTrue(Encoding.UTF8.GetString(written));
    }

    [Fact]
    [Trait("RFC", "8428 5.1.1")]
    public void A_single_datapoint_is_written_byte_for_byte_like_the_example() =>
        Write(SenmlExamples.Read(SenmlExamples.SingleDatapoint)).Should().Be(SenmlExamples.SingleDatapoint);

    [Fact]
    [Trait("RFC", "8428 5"), Trait("RFC", "8428 4.3")]
    public void All_fields_keep_their_values()
    {
        var record = new SenmlRecord
        {
            BaseName = "urn:dev:",
            BaseTime = 1.320067464e9,
            BaseUnit = "Cel",
            BaseValue = 0.1,
            BaseSum = 5,
            BaseVersion = 10,
            Name = "a",
            Unit = "K",
            Value = 1e-300,
            Sum = -0.0,
            Time = 0.25,
            UpdateTime = 60,
            Extensions = [new("x", "text"), new("y", 2.5), new("z", true)],
        };

        SenmlExamples.Read(Write([record])).Should().Equal(record);
    }

    [Theory]
    [Trait("RFC", "8428 5")]
    [InlineData(double.MaxValue)]
    [InlineData(double.Epsilon)]
    [InlineData(-2.2250738585072014e-308)]
    [InlineData(0.1)]
    [InlineData(9007199254740993d)]
    [InlineData(1e21)]
    [InlineData(-0.0)]
    public void Numbers_keep_each_bit(double value)
    {
        var read = SenmlExamples.Read(Write([new SenmlRecord { Name = "a", Value = value }]))[0].Value!.Value;

        BitConverter.DoubleToInt64Bits(read).Should().Be(BitConverter.DoubleToInt64Bits(value));
    }

    [Theory]
    [Trait("RFC", "8428 5")]
    [InlineData("1.7976931348623157e308", 0x7FEF_FFFF_FFFF_FFFF)]
    [InlineData("-1.7976931348623157E+308", unchecked((long)0xFFEF_FFFF_FFFF_FFFF))]
    [InlineData("2.2250738585072014e-308", 0x0010_0000_0000_0000)]
    [InlineData("2.2250738585072009e-308", 0x000F_FFFF_FFFF_FFFF)]
    [InlineData("4.9406564584124654e-324", 1L)]
    [InlineData("-4.9406564584124654e-324", long.MinValue + 1)]
    [InlineData("-0.0", long.MinValue)]
    [InlineData("9007199254740993", 0x4340_0000_0000_0000)]
    [InlineData("0.1000000000000000055511151231257827021181583404541015625", 0x3FB9_9999_9999_999A)]
    public void All_numbers_of_double_precision_are_read_in_each_field_that_is_a_number(string text, long bits)
    {
        var regular = $$"""{"n":"a","v":{{text}},"s":{{text}},"t":{{text}},"ut":{{text}}}""";
        var inBase = $$"""{"n":"a","v":0,"bv":{{text}},"bs":{{text}},"bt":{{text}}}""";

        var pack = SenmlExamples.Read($"[{regular},{inBase}]");

        var (first, second) = (pack[0], pack[1]);
        double?[] numbers = [first.Value, first.Sum, first.Time, first.UpdateTime, second.BaseValue, second.BaseSum, second.BaseTime];
        numbers.Select(number => BitConverter.DoubleToInt64Bits(number!.Value)).Should().OnlyContain(one => one == bits);
    }

    [Fact]
    [Trait("RFC", "8428 5")]
    public void The_e_of_an_exponent_is_in_lower_case() =>
        Write([new SenmlRecord { Name = "a", Value = 1.5e300 }]).Should().Be("""[{"n":"a","v":1.5e+300}]""");

    [Theory]
    [Trait("RFC", "8428 4.3")]
    [InlineData("", "")]
    [InlineData("fb", "-w")]
    [InlineData("ffef", "_-8")]
    [InlineData("6869200a", "aGkgCg")]
    public void Data_is_base64_for_URLs_without_padding(string hex, string base64)
    {
        var json = $$"""[{"n":"a","vd":"{{base64}}"}]""";

        Write([new SenmlRecord { Name = "a", DataValue = Convert.FromHexString(hex) }]).Should().Be(json);
        Convert.ToHexStringLower(SenmlExamples.Read(json)[0].DataValue!.Value.Span).Should().Be(hex);
    }

    [Fact]
    public void Texts_may_have_any_characters()
    {
        const string Text = "Grüße \"\\\u0001\n 😀 </a>";

        SenmlExamples.Read(Write([new SenmlRecord { Name = "a", TextValue = Text }]))[0].TextValue.Should().Be(Text);
    }

    [Fact]
    public void Labels_may_be_escaped() =>
        SenmlExamples.Read("""[{"\u006e":"a","\u0076":1}]""")[0].Should().Be(new SenmlRecord { Name = "a", Value = 1 });

    [Fact]
    [Trait("RFC", "8428 4.4")]
    public void Unknown_fields_are_kept_if_they_are_simple_and_skipped_otherwise()
    {
        var record = SenmlExamples.Read("""[{"n":"a","v":1,"x":"y","obj":{"v":[1,2]},"list":[{}],"nil":null,"q":2,"w":false}]""")[0];

        record.Should().Be(new SenmlRecord { Name = "a", Value = 1, Extensions = [new("x", "y"), new("q", 2.0), new("w", false)] });
    }

    [Fact]
    [Trait("RFC", "8428 4.4")]
    public void An_unknown_field_that_must_be_understood_is_an_error_unless_the_program_understands_it()
    {
        const string Json = """[{"n":"a","v":1,"x_":1}]""";
        var settings = new SenmlSettings { UnderstoodLabels = new HashSet<string> { "x_" } };

        Error(Json).Should().Be("Record 1: field 'x_' must be understood and is not (RFC 8428, section 4.4) (at byte 16).");
        SenmlJson.Read(Encoding.UTF8.GetBytes(Json), settings: settings)[0].Extensions.Should().Equal(new SenmlExtension("x_", 1.0));
    }

    [Theory]
    [InlineData("""{"n":"a","v":1}""", "The payload is an object; an array of records is required (at byte 0).")]
    [InlineData("[]", "The pack has no record; at least 1 is required (at byte 1).")]
    [InlineData("[1]", "Record 1: it is a number; an object is required (at byte 1).")]
    [InlineData("[{}]", "Record 1: it has no field (at byte 1).")]
    [InlineData("""[{"n":"a","v":1},{"n":"b","v":2},{"n":"c","v":"3"}]""", "Record 3: field 'v' is a text; a number is required (at byte 46).")]
    [InlineData("""[{"n":1,"v":1}]""", "Record 1: field 'n' is a number; a text is required (at byte 6).")]
    [InlineData("""[{"n":"a","vb":null}]""", "Record 1: field 'vb' is null; a Boolean value is required (at byte 15).")]
    [InlineData("""[{"n":"a","vd":[]}]""", "Record 1: field 'vd' is an array; a byte string is required (at byte 15).")]
    [InlineData("""[{"n":"a","vd":"aGk="}]""", "Record 1: field 'vd' is not base64url without padding (RFC 8428, section 5) (at byte 15).")]
    [InlineData("""[{"n":"a","v":1e999}]""", "Record 1: field 'v' is not a finite number (at byte 14).")]
    [InlineData("""[{"n":"a","v":1,"n":"b"}]""", "Record 1: field 'n' occurs twice (at byte 16).")]
    [InlineData("""[{"n":"a","v":1,"bver":1.5}]""", "Record 1: field 'bver' is 1.5; a positive integer is required (at byte 23).")]
    [InlineData("""[{"n":"a","vs":"\ud800"}]""", "A text is not valid Unicode (at byte 15).")]
    public void Errors_name_the_record_and_the_field(string json, string message) => Error(json).Should().Be(message);

    [Theory]
    [InlineData("")]
    [InlineData("[")]
    [InlineData("""[{"n":"a","v":1}""")]
    [InlineData("""[{"n":"a","v":1}] x""")]
    [InlineData("""[{"n":"a","v":01}]""")]
    [InlineData("""[{"n":"a","v":1},]""")]
    [InlineData("""[/*x*/{"n":"a","v":1}]""")]
    [InlineData("""[{"n":"a","v":NaN}]""")]
    public void Malformed_JSON_is_an_error(string json) => Error(json).Should().StartWith("The JSON text is malformed: ").And.Contain("(at byte ");

    [Fact]
    public void Text_that_is_not_UTF_8_is_an_error()
    {
        byte[] json = [.. "[{\"n\":\"a\",\"vs\":\""u8, 0xff, .. "\"}]"u8];

        json.Invoking(bytes => SenmlJson.Read(bytes)).Should().Throw<CoapPayloadException>();
    }

    [Fact]
    public void Limits_bound_records_lengths_and_depth()
    {
        var deep = $$"""[{"n":"a","v":1,"x":{{new string('[', 70)}}{{new string(']', 70)}}}]""";

        Error(deep).Should().Contain("maximum configured depth of 64");
        Error("""[{"n":"a","v":1},{"n":"a","v":1}]""", settings: new() { MaxRecords = 1 })
            .Should().Be("The pack has more than 1 records (at byte 17).");
        Error("""[{"n":"a","vs":"12345"}]""", new() { MaxLength = 4 })
            .Should().Be("Record 1: field 'vs' has 5 bytes; at most 4 are allowed (at byte 15).");
        Error("""[{"n":"a","v":1}]""", new() { MaxSize = 10 }).Should().Be("The payload has 17 bytes; at most 10 are allowed (at byte 0).");
    }

    [Fact]
    [Trait("RFC", "8428 12.3")]
    public void The_format_handles_packs_as_Content_Format_110()
    {
        IPayloadFormat format = new SenmlJsonFormat();
        var output = new System.Buffers.ArrayBufferWriter<byte>();
        format.Write(output, SenmlExamples.Read(SenmlExamples.SingleDatapoint));

        format.ContentFormat.Should().Be(110);
        format.Handles(typeof(SenmlPack)).Should().BeTrue();
        format.Read<SenmlPack>(output.WrittenMemory)[0].Value.Should().Be(23.1);
    }

    private static string Write(SenmlPack pack) => Encoding.UTF8.GetString(SenmlJson.ToBytes(pack));

    private static string Error(string json, PayloadLimits? limits = null, SenmlSettings? settings = null)
    {
        var read = () => SenmlJson.Read(Encoding.UTF8.GetBytes(json), limits, settings);
        return read.Should().Throw<CoapPayloadException>().Which.Message;
    }

    // Two forms of one number, such as 1.2e3 and 1200, are equal.
    private static JsonNode? Plain(JsonNode? node) => node switch
    {
        JsonArray array => new JsonArray([.. array.Select(Plain)]),
        JsonObject members => new JsonObject(members.Select(member => KeyValuePair.Create(member.Key, Plain(member.Value)))),
        JsonValue value when value.GetValueKind() == JsonValueKind.Number => JsonValue.Create(value.GetValue<double>()),
        _ => node?.DeepClone(),
    };
}
