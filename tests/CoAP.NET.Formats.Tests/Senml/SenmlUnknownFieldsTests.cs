using System.Buffers;
using System.Text;
using CoAP.TestSupport;

namespace CoAP.Formats.Tests;

/// <summary>Fields that RFC 8428 does not define are ignored, whatever they look like, unless their label ends with "_".</summary>
public sealed class SenmlUnknownFieldsTests
{
    private const int Long = 100_000;

    private static readonly SenmlRecord Plain = new() { Name = "a", Value = 1 };

    public static TheoryData<string> Encodings => new() { "JSON", "CBOR", "XML", "JSON stream", "CBOR stream" };

    [Theory, MemberData(nameof(Encodings))]
    [Trait("RFC", "8428 4.4"), Trait("RFC", "8428 12.3")]
    public void Any_number_of_unknown_fields_is_ignored_and_the_first_16_are_kept(string encoding)
    {
        string[] labels = [.. Enumerable.Range(0, 1000).Select(i => $"x{i}")];

        var record = Read(encoding, labels).Should().ContainSingle().Subject;

        (record with { Extensions = [] }).Should().Be(Plain);
        record.Extensions.Select(field => field.Label).Should().Equal(labels[..16]);
    }

    [Theory, MemberData(nameof(Encodings))]
    [Trait("RFC", "8428 4.4"), Trait("RFC", "8428 12.3")]
    public void An_unknown_label_of_any_length_is_ignored(string encoding) =>
        Read(encoding, [new string('x', 256), new string('y', Long)]).Should().Equal(Plain);

    [Theory, MemberData(nameof(Encodings))]
    [Trait("RFC", "8428 4.4"), Trait("RFC", "8428 12.3")]
    public void A_long_label_that_must_be_understood_is_an_error_that_shows_its_beginning(string encoding)
    {
        var read = () => Read(encoding, [new string('x', Long) + "_"]);

        read.Should().Throw<CoapPayloadException>()
            .WithMessage($"Record 1: field '{new string('x', 40)}...' must be understood and is not (RFC 8428, section 4.4)*");
    }

    // XML does not allow an attribute to occur twice (XML 1.0, section 3.1).
    [Theory]
    [InlineData("JSON"), InlineData("CBOR"), InlineData("JSON stream"), InlineData("CBOR stream")]
    [Trait("RFC", "8428 4.4"), Trait("RFC", "8428 12.3")]
    public void A_repeated_unknown_label_is_ignored_and_its_first_value_is_kept(string encoding) =>
        Read(encoding, ["x", "y", "x", "x"]).Should().ContainSingle()
            .Which.Extensions.Should().Equal(new SenmlExtension("x", 2.0), new SenmlExtension("y", 3.0));

    [Theory, MemberData(nameof(Encodings))]
    [Trait("RFC", "8428 4.4")]
    public void A_label_that_the_program_understands_is_kept_behind_any_number_of_unknown_ones(string encoding)
    {
        var settings = new SenmlSettings { MaxExtensions = 1, UnderstoodLabels = new HashSet<string> { "x_", "y_" } };

        var record = Read(encoding, ["a1", "x_", "a2", "y_", "a3"], settings).Should().ContainSingle().Subject;

        record.Extensions.Select(field => field.Label).Should().Equal("a1", "x_", "y_");
    }

    [Theory]
    [InlineData("JSON"), InlineData("CBOR"), InlineData("JSON stream"), InlineData("CBOR stream")]
    public void A_label_that_the_program_understands_occurs_once_at_most(string encoding)
    {
        var settings = new SenmlSettings { UnderstoodLabels = new HashSet<string> { "x_" } };
        var read = () => Read(encoding, ["x_", "x_"], settings);

        read.Should().Throw<CoapPayloadException>().WithMessage("Record 1: field 'x_' occurs twice*");
    }

    [Theory]
    [InlineData("JSON"), InlineData("CBOR")]
    [Trait("RFC", "8428 4.4")]
    public void Ignored_fields_leave_nothing_behind(string encoding)
    {
        var payload = Payload(encoding, [.. Enumerable.Range(0, Long).Select(i => $"a-label-of-26-characters-{i:d6}")]);
        Read(encoding, payload).Should().ContainSingle();

        var allocated = Allocations.Of(() => Read(encoding, payload));

        allocated.Should().BeLessThan(64 << 10);
    }

    [Theory]
    [Trait("RFC", "8428 4.4"), Trait("RFC", "8428 6")]
    [InlineData("6178 c4 6162")]                       // tag 4 on a text
    [InlineData("6178 c4 80")]
    [InlineData("6178 c4 81 20")]
    [InlineData("6178 c4 83 20 20 20")]
    [InlineData("6178 c4 82 6161 01")]
    [InlineData("6178 c4 82 20 c1 00")]
    [InlineData("6178 c4 82 20 c2 6161")]
    [InlineData("6178 c4 82 1b ffffffffffffffff 01")]  // infinite
    [InlineData("6178 c4 9f 20 f6 a1 01 02 ff")]
    [InlineData("1b ffffffffffffffff 02")]             // labels of 65 bits
    [InlineData("3b ffffffffffffffff 02")]
    [InlineData("1b 8000000000000000 02")]
    public void Unknown_fields_in_CBOR_may_have_any_content_and_any_integer_as_a_label(string field) =>
        SenmlCbor.Read(SenmlExamples.FromHex($"82 a3 00 6161 {field} 02 01 a2 00 6161 02 01")).Should().Equal(Plain, Plain);

    [Theory]
    [Trait("RFC", "8428 6")]
    [InlineData("c4 6162")]
    [InlineData("c4 82 6161 01")]
    [InlineData("c4 82 20 c1 00")]
    [InlineData("c4 82 20 c2 58 21 01 0000000000000000000000000000000000000000000000000000000000000000")]
    public void The_same_content_is_an_error_in_a_field_of_the_RFC(string value) =>
        value.Invoking(one => SenmlCbor.Read(SenmlExamples.FromHex($"81 a2 00 6161 02 {one}")))
            .Should().Throw<CoapPayloadException>().WithMessage("Record 1: a decimal fraction is not an array of an exponent and *");

    [Fact]
    [Trait("RFC", "8428 4.4")]
    public void A_long_text_in_an_unknown_field_of_JSON_is_ignored()
    {
        var json = """[{"n":"a","v":1,"x":"12345","y":"1234"}]"""u8.ToArray();

        SenmlJson.Read(json, new PayloadLimits { MaxLength = 4 }).Should().Equal(Plain with { Extensions = [new("y", "1234")] });
    }

    private static List<SenmlRecord> Read(string encoding, string[] labels, SenmlSettings? settings = null) =>
        Read(encoding, Payload(encoding, labels), settings);

    private static List<SenmlRecord> Read(string encoding, byte[] payload, SenmlSettings? settings = null) => encoding switch
    {
        "JSON" => [.. SenmlJson.Read(payload, settings: settings)],
        "CBOR" => [.. SenmlCbor.Read(payload, settings: settings)],
        "XML" => [.. SenmlXml.Read(payload, settings: settings)],
        "JSON stream" => [.. SenmlStream.Read(new MemoryStream(payload), ContentFormats.SensmlJson, settings: settings)],
        _ => [.. SenmlStream.Read(new MemoryStream(payload), ContentFormats.SensmlCbor, settings: settings)],
    };

    // A record with a name and a value, and then fields with the values 2, 3 and so on.
    private static byte[] Payload(string encoding, string[] labels) => encoding switch
    {
        "CBOR" or "CBOR stream" => Cbor(labels),
        "XML" => Xml(string.Concat(labels.Select((label, i) => $" {label}=\"{i + 2}\""))),
        _ => Json(string.Concat(labels.Select((label, i) => $",\"{label}\":{i + 2}"))),
    };

    private static byte[] Json(string fields) => Encoding.UTF8.GetBytes($$"""[{"n":"a","v":1{{fields}}}]""");

    private static byte[] Xml(string attributes) =>
        Encoding.UTF8.GetBytes($"""<sensml xmlns="urn:ietf:params:xml:ns:senml"><senml n="a" v="1"{attributes}/></sensml>""");

    private static byte[] Cbor(string[] labels)
    {
        var output = new ArrayBufferWriter<byte>();
        var writer = new CborWriter(output);
        writer.WriteArrayStart(1);
        writer.WriteMapStart(2 + labels.Length);
        writer.WriteInt64(0);
        writer.WriteText("a");
        writer.WriteInt64(2);
        writer.WriteInt64(1);
        for (var i = 0; i < labels.Length; i++)
        {
            writer.WriteText(labels[i]);
            writer.WriteInt64(i + 2);
        }
        writer.Flush();
        return output.WrittenSpan.ToArray();
    }
}
