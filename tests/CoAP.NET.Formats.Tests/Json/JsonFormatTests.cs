using System.Buffers;
using System.Text;
using System.Text.Json;

namespace CoAP.Formats.Tests;

public sealed class JsonFormatTests
{
    private static readonly JsonFormat Format = new(SampleJson.Default);
    private static readonly Sensor Example = new("t\u00e9st \"1\"", 21.5, [1, -2, 3]) { IsValid = true, Counts = new() { ["a"] = 1 } };

    [Fact]
    public void Has_content_format_50() => (Format.ContentFormat, Format.Name).Should().Be((50u, "JSON"));

    [Fact]
    public void Writes_what_the_serializer_writes()
    {
        Written(Format, Example).Should().Equal(JsonSerializer.SerializeToUtf8Bytes(Example, SampleJson.Default.Sensor));
        Written(Format, Example).Should().Equal(Written(Format, Example), "the writer is reused");
    }

    [Fact]
    public void Reads_what_the_serializer_writes()
    {
        var bytes = JsonSerializer.SerializeToUtf8Bytes(Example, SampleJson.Default.Sensor);

        Format.Read<Sensor>(bytes).Should().BeEquivalentTo(Example);
    }

    [Theory]
    [InlineData("0", 0)]
    [InlineData("-1.5e3", -1500)]
    [InlineData(" 1 ", 1)]
    public void Reads_numbers_with_white_space_around(string json, double value) => Read<double>(json).Should().Be(value);

    [Fact]
    public void Reads_null_only_for_nullable_value_types()
    {
        Read<int?>("null").Should().BeNull();
        Error<Sensor>("null").Message.Should().Be("The JSON value is null; a value is required (at byte 0).");
    }

    [Theory]
    [InlineData("", 0)]
    [InlineData(" ", 1)]
    [InlineData("{", 1)]
    [InlineData("[1,]", 3)]
    [InlineData("[1 2]", 3)]
    [InlineData("[01]", 2)]
    [InlineData("[+1]", 1)]
    [InlineData("[.5]", 1)]
    [InlineData("[1.]", 3)]
    [InlineData("[1e]", 3)]
    [InlineData("[0x1]", 2)]
    [InlineData("[NaN]", 1)]
    [InlineData("[Infinity]", 1)]
    [InlineData("['a']", 1)]
    [InlineData("[\"\\a\"]", 3)]
    [InlineData("[\"\\u12g4\"]", 6)]
    [InlineData("[\"\t\"]", 2)]
    [InlineData("[1] // comment", 4)]
    [InlineData("/* */[1]", 0)]
    [InlineData("[1]2", 3)]
    [InlineData("[1]]", 3)]
    [InlineData("{\"a\"}", 4)]
    [InlineData("{\"a\":1,}", 7)]
    [InlineData("{a:1}", 1)]
    [InlineData("[1}", 2)]
    [InlineData("[\"a", 2)]
    [InlineData("nul", 3)]
    [InlineData("True", 0)]
    [InlineData("[\ufeff1]", 1)]
    [InlineData("[\n 1,\n x]", 7)]
    [Trait("RFC", "8259 2")]
    public void Refuses_what_is_not_json(string json, long offset)
    {
        var error = Error<JsonElement>(json);

        error.Message.Should().StartWith("Invalid JSON: ").And.EndWith($"(at byte {error.Offset}).");
        error.Offset.Should().BeInRange(offset - 1, offset + 1);
    }

    [Theory]
    [InlineData("5B22FF225D", 2)]
    [InlineData("5B22C3225D", 2)]
    [InlineData("5B22C0AF225D", 2)]
    [InlineData("5B22EDA080225D", 2)]
    [InlineData("7B22F5223A317D", 2)]
    [Trait("RFC", "8259 8.1")]
    public void Refuses_invalid_utf8_also_in_what_is_skipped(string hex, int offset)
    {
        var read = () => Format.Read<JsonElement>(Convert.FromHexString(hex));

        read.Should().Throw<CoapPayloadException>().WithMessage($"The JSON is not valid UTF-8 (at byte {offset}).").Which.Offset.Should().Be(offset);
    }

    [Theory]
    [InlineData("{\"name\":\"a\",\"value\":\"x\",\"history\":[],\"isValid\":true}", "$.value", 22)]
    [InlineData("{\"name\":\"a\",\"value\":1,\"history\":[1,2.5],\"isValid\":true}", "$.history[1]", 37)]
    public void Names_the_path_and_the_offset_but_no_type(string json, string path, long offset)
    {
        var error = Error<Sensor>(json);

        error.Message.Should().Be($"The JSON value at {path} is not valid for the expected type (at byte {error.Offset}).");
        error.Offset.Should().BeInRange(offset - 3, offset + 1);
    }

    [Fact]
    public void Names_the_members_that_are_missing() =>
        Error<Sensor>("{\"name\":\"a\"}").Message.Should().Contain("lacks 'value', 'history', 'isValid'");

    [Theory]
    [InlineData("{\"a\":\"1\",\"a\":\"2\"}")]
    [InlineData("{\"a\":\"1\",\"\\u0061\":\"2\"}")]
    [Trait("RFC", "8259 4")]
    public void Refuses_a_name_twice(string json)
    {
        Error<Dictionary<string, string>>(json).Message.Should().StartWith("The JSON object has a name twice");
        Error<JsonElement>(json).Message.Should().StartWith("The JSON object has a name twice");
    }

    [Fact]
    public void A_value_that_a_setter_refuses_is_an_error_of_the_payload_without_detail()
    {
        var error = Error<Percent>("{\"value\":101}");

        error.Message.Should().NotContain("secret").And.NotContain("System.");
        error.InnerException.Should().NotBeNull();
    }

    [Fact]
    public void A_polymorphic_object_without_type_is_an_error_of_the_payload()
    {
        Read<Device>("{\"$type\":\"lamp\",\"level\":3}").Should().Be(new Lamp(3));
        Error<Device>("{\"level\":3}").Message.Should().NotContain("CoAP");
        Error<Device>("{\"$type\":\"x\"}").Message.Should().NotContain("CoAP");
    }

    [Fact]
    public void Handles_what_the_context_has_and_nothing_else()
    {
        Format.Handles(typeof(Sensor)).Should().BeTrue();
        Format.Handles(typeof(Sensor)).Should().BeTrue("the answer is cached");
        foreach (var type in new[] { typeof(JsonFormatTests), typeof(List<>), typeof(Span<int>), typeof(int*), typeof(void),
            typeof(int).MakeByRefType() })
        {
            Format.Handles(type).Should().BeFalse(type.ToString());
        }
        var write = () => Written(Format, new Version(1, 2));
        write.Should().Throw<NotSupportedException>().WithMessage("*JsonSerializable(typeof(Version))*");
    }

    [Fact]
    public void Options_need_a_resolver_and_reflection_is_a_choice()
    {
        var create = () => new JsonFormat(new JsonSerializerOptions());
        var format = JsonFormat.WithReflection(new JsonSerializerOptions(JsonSerializerDefaults.Web));

        create.Should().Throw<ArgumentException>().WithMessage("*TypeInfoResolver*");
        format.Read<Version>(Written(format, new Version(1, 2))).Should().Be(new Version(1, 2));
        Encoding.UTF8.GetString(Written(format, new Percent { Value = 3 })).Should().Be("{\"value\":3}");
    }

    [Fact]
    public void A_writer_that_has_failed_is_not_used_again()
    {
        var format = JsonFormat.WithReflection();
        var write = () => Written(format, new { A = double.NaN });

        write.Should().Throw<ArgumentException>();
        Encoding.UTF8.GetString(Written(format, 1)).Should().Be("1");
    }

    [Fact]
    public void Is_safe_for_concurrent_use() => Parallel.For(0, 200, i =>
        Format.Read<Sensor>(Written(Format, Example with { Value = i })).Value.Should().Be(i));

    internal static byte[] Written<T>(IPayloadFormat format, T value)
    {
        var output = new ArrayBufferWriter<byte>();
        format.Write(output, value);
        return output.WrittenSpan.ToArray();
    }

    private static T Read<T>(string json) => Format.Read<T>(Encoding.UTF8.GetBytes(json));

    private static CoapPayloadException Error<T>(string json) =>
        FluentActions.Invoking(() => Read<T>(json)).Should().Throw<CoapPayloadException>().Which;
}
