using System.Text;

namespace CoAP.Formats.Tests;

public sealed class SenmlXmlTests
{
    [Fact]
    [Trait("RFC", "8428 7")]
    public void The_example_of_the_RFC_is_read() => Read(SenmlExamples.SeriesInXml).Should().Equal(SenmlExamples.Read(SenmlExamples.Series));

    [Fact]
    [Trait("RFC", "8428 7")]
    public void The_example_of_the_RFC_is_written() =>
        Encoding.UTF8.GetString(SenmlXml.ToBytes([.. SenmlExamples.Read(SenmlExamples.Series).Take(2)])).Should().Be(
            """<sensml xmlns="urn:ietf:params:xml:ns:senml"><senml bn="urn:dev:ow:10e2073a0108006:" bt="1276020076.001" bu="A" """
            + """bver="5" n="voltage" u="V" v="120.1" />"""
            + """<senml n="current" t="-5" v="1.2" /></sensml>""");

    [Theory]
    [Trait("RFC", "8428 7")]
    [MemberData(nameof(SenmlExamples.Packs), MemberType = typeof(SenmlExamples))]
    public void Packs_mean_the_same_in_JSON_and_XML(string json)
    {
        var pack = SenmlExamples.Read(json);

        SenmlXml.Read(SenmlXml.ToBytes(pack)).Should().Equal(pack);
    }

    [Fact]
    [Trait("RFC", "8428 7")]
    public void Texts_have_the_escape_sequences_of_JSON()
    {
        SenmlPack pack = [new SenmlRecord { Name = "a", TextValue = "\"C:\\\u0001\n\t<&>\ufffe" }];

        SenmlXml.Read(SenmlXml.ToBytes(pack)).Should().Equal(pack);
        Read(Record("""n="a" vs="\n\u00e4\/" """))[0].TextValue.Should().Be("\nä/");
    }

    [Fact]
    [Trait("RFC", "8428 4.4")]
    public void Unknown_elements_and_attributes_are_ignored() =>
        Read("""<sensml xmlns="urn:ietf:params:xml:ns:senml"><x><senml/></x><senml n="a" v="1" xml:lang="e" l="2"><y/>z</senml><!----></sensml>""")
            .Should().Equal(new SenmlRecord { Name = "a", Value = 1, Extensions = [new("l", "2")] });

    [Theory]
    [InlineData("", "The XML text is malformed: *")]
    [InlineData("<senml/>", "The payload is no element 'sensml' of the namespace 'urn:ietf:params:xml:ns:senml' (RFC 8428, section 7).")]
    [InlineData("""<sensml xmlns="urn:ietf:params:xml:ns:senml"/>""", "The pack has no record; at least 1 is required.")]
    [InlineData("""<sensml xmlns="urn:ietf:params:xml:ns:senml"><senml n="a" v="1"/>""", "The XML text is malformed: *")]
    [InlineData("""<!DOCTYPE x [<!ENTITY a "b">]><sensml xmlns="urn:ietf:params:xml:ns:senml"/>""", "The XML text is malformed: *")]
    public void Malformed_documents_are_errors(string xml, string message) => Fails(xml, message);

    [Theory]
    [InlineData("""n="a" v="x" """, "Record 1: field 'v' is a text; a number is required.")]
    [InlineData("""n="a" v="INF" """, "Record 1: field 'v' is not a finite number.")]
    [InlineData("""n="a" v="-INF" """, "Record 1: field 'v' is not a finite number.")]
    [InlineData("""n="a" t="NaN" v="1" """, "Record 1: field 't' is not a finite number.")]
    [InlineData("""n="a" v="1e999" """, "Record 1: field 'v' is not a finite number.")]
    [InlineData("""n="a" v="Infinity" """, "Record 1: field 'v' is a text; a number is required.")]
    [InlineData("""n="a" v="nan" """, "Record 1: field 'v' is a text; a number is required.")]
    [InlineData("""n="a" v="1,5" """, "Record 1: field 'v' is a text; a number is required.")]
    [InlineData("""n="a" v="1 5" """, "Record 1: field 'v' is a text; a number is required.")]
    [InlineData("""n="a" v="1e" """, "Record 1: field 'v' is a text; a number is required.")]
    [InlineData("""n="a" v="." """, "Record 1: field 'v' is a text; a number is required.")]
    [InlineData("""n="a" v="" """, "Record 1: field 'v' is a text; a number is required.")]
    [InlineData("""n="a" vb="yes" """, "Record 1: field 'vb' is a text; a Boolean value is required.")]
    [InlineData("""n="a" vd="aGk=" """, "Record 1: field 'vd' is not base64url.")]
    [InlineData("""n="a" vs="\x" """, "Record 1: field 'vs' has an invalid escape sequence.")]
    [InlineData("""n="a" vs="\ud800" """, "Record 1: field 'vs' has an invalid escape sequence.")]
    [InlineData("""n="a" v="1" x_="" """, "Record 1: field 'x_' must be understood and is not (RFC 8428, section 4.4).")]
    [InlineData("""n="a" v="1" xmlns:x="y" x:z_="" """, "Record 1: field 'x:z_' must be understood and is not (RFC 8428, section 4.4).")]
    [InlineData("", "Record 1: it has no field.")]
    public void Errors_name_the_record_and_the_field(string attributes, string message) => Fails(Record(attributes), message);

    // XML Schema, part 2, section 3.2.5.
    [Theory]
    [Trait("RFC", "8428 7")]
    [InlineData("+1.5", 1.5)]
    [InlineData("-1.5E3", -1500)]
    [InlineData("1.5e+03", 1500)]
    [InlineData("15e-1", 1.5)]
    [InlineData("5.", 5)]
    [InlineData(".5", 0.5)]
    [InlineData("007", 7)]
    [InlineData(" 1&#9;&#10;", 1)]
    [InlineData("1.7976931348623157e308", double.MaxValue)]
    [InlineData("4.9406564584124654e-324", double.Epsilon)]
    public void Numbers_have_the_forms_of_the_type_double_of_XML_Schema(string text, double value) =>
        Read(Record($"n=\"a\" v=\"{text}\""))[0].Value.Should().Be(value);

    [Theory]
    [Trait("RFC", "8428 7")]
    [InlineData("true", true)]
    [InlineData("1", true)]
    [InlineData(" false ", false)]
    [InlineData("0", false)]
    public void Boolean_values_have_the_forms_of_the_type_boolean_of_XML_Schema(string text, bool value) =>
        Read(Record($"n=\"a\" vb=\"{text}\""))[0].BooleanValue.Should().Be(value);

    [Theory]
    [Trait("RFC", "8428 7")]
    [InlineData(1.5e300, "1.5e+300")]
    [InlineData(-1e-7, "-1e-07")]
    [InlineData(-0.0, "-0")]
    public void The_e_of_an_exponent_is_written_in_lower_case(double value, string text) =>
        Encoding.UTF8.GetString(SenmlXml.ToBytes([new SenmlRecord { Name = "a", Value = value }])).Should().Contain($"v=\"{text}\"");

    [Theory]
    [Trait("RFC", "8428 12.3")]
    [InlineData("x_")]
    [InlineData("y:x_")]
    public void An_attribute_of_the_pack_that_must_be_understood_is_an_error(string name) => Fails(
        $"""<sensml xmlns="urn:ietf:params:xml:ns:senml" xmlns:y="z" {name}="1"><senml n="a" v="1"/></sensml>""",
        $"The pack: attribute '{name}' must be understood and is not (RFC 8428, sections 4.4 and 12.3).");

    [Fact]
    [Trait("RFC", "8428 7")]
    public void Only_UTF_8_is_read()
    {
        byte[] latin1 = [.. "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>"u8, .. Encoding.Latin1.GetBytes(Record("n=\"a\" vs=\"ä\""))];

        latin1.Invoking(bytes => SenmlXml.Read(bytes)).Should().Throw<CoapPayloadException>();
        byte[] withMark = [.. Encoding.UTF8.Preamble, .. Encoding.UTF8.GetBytes(Record("n=\"a\" vs=\"ä\""))];
        SenmlXml.Read(withMark)[0].TextValue.Should().Be("ä");
    }

    [Fact]
    public void Deep_elements_are_an_error() =>
        Fails(
            $"""<sensml xmlns="urn:ietf:params:xml:ns:senml">{string.Concat(Enumerable.Repeat("<x>", 100))}""",
            "Elements are nested more than 64 levels deep.");

    [Fact]
    public void Characters_that_XML_lacks_are_an_error_of_the_caller()
    {
        SenmlPack pack = [new SenmlRecord { Name = "a", Unit = "\u0001", Value = 1 }];

        pack.Invoking(one => SenmlXml.ToBytes(one)).Should().Throw<ArgumentException>();
    }

    [Fact]
    [Trait("RFC", "8428 12.3")]
    public void The_format_handles_packs_as_Content_Format_310()
    {
        IPayloadFormat format = new SenmlXmlFormat();
        var output = new System.Buffers.ArrayBufferWriter<byte>();
        format.Write(output, SenmlExamples.Read(SenmlExamples.SingleDatapoint));

        format.ContentFormat.Should().Be(310);
        format.Read<SenmlPack>(output.WrittenMemory)[0].Value.Should().Be(23.1);
    }

    private static string Record(string attributes) => $"""<sensml xmlns="urn:ietf:params:xml:ns:senml"><senml {attributes}/></sensml>""";

    private static SenmlPack Read(string xml) => SenmlXml.Read(Encoding.UTF8.GetBytes(xml));

    private static void Fails(string xml, string message) => xml.Invoking(Read).Should().Throw<CoapPayloadException>().WithMessage(message);
}
