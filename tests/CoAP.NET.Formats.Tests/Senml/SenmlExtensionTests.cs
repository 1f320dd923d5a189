using System.Text;

namespace CoAP.Formats.Tests;

public sealed class SenmlExtensionTests
{
    private static readonly SenmlRecord Plain = new() { Name = "a", Value = 1 };

    [Theory]
    [Trait("RFC", "8428 4.4"), Trait("RFC", "8428 12.3")]
    [InlineData("")]
    [InlineData("b")]
    [InlineData("_x")]
    [InlineData("x y")]
    [InlineData("ä")]
    [InlineData("\ufffd")]
    public void Unknown_fields_with_labels_that_RFC_8428_does_not_allow_are_ignored_and_cannot_be_written(string label)
    {
        Read($$"""[{"n":"a","{{label}}":2,"v":1}]""").Should().Equal(Plain);
        SenmlCbor.Read(Cbor(label)).Should().Equal(Plain);

        var write = () => SenmlJson.ToBytes([Plain with { Extensions = [new(label, 2.0)] }]);
        write.Should().Throw<ArgumentException>().WithMessage($"Record 1: extension '{label}' has a label that is not allowed: *");
    }

    [Theory]
    [Trait("RFC", "8428 4.4")]
    [InlineData("_")]
    [InlineData("x y_")]
    [InlineData("ä_")]
    public void A_field_that_must_be_understood_is_an_error_whatever_its_other_characters_are(string label)
    {
        var message = $"Record 1: field '{label}' must be understood and is not *";

        label.Invoking(one => Read($$"""[{"n":"a","v":1,"{{one}}":2}]""")).Should().Throw<CoapPayloadException>().WithMessage(message);
        label.Invoking(one => SenmlCbor.Read(Cbor(one))).Should().Throw<CoapPayloadException>().WithMessage(message);
    }

    [Theory]
    [Trait("RFC", "8428 5")]
    [InlineData("[{'n':'a','v':1,'x#':2}]", 18)]
    [InlineData("[{'n':'a','v':1,'x':['#']}]", 22)]
    [InlineData("[{'n':'#','v':1}]", 7)]
    public void JSON_that_is_not_UTF_8_is_an_error_also_in_ignored_fields(string json, int offset)
    {
        var bytes = Encoding.UTF8.GetBytes(json.Replace('\'', '"'));
        bytes[Array.IndexOf(bytes, (byte)'#')] = 0xb1;
        var message = $"The JSON text is not valid UTF-8 (at byte {offset}).";

        bytes.Invoking(one => SenmlJson.Read(one)).Should().Throw<CoapPayloadException>().WithMessage(message).Which.Offset.Should().Be(offset);
        bytes.Invoking(one => ReadStream(one, ContentFormats.SensmlJson)).Should().Throw<CoapPayloadException>().WithMessage(message);
    }

    [Fact]
    [Trait("RFC", "8428 4.4")]
    public void Unknown_fields_that_are_not_finite_are_ignored()
    {
        Read("""[{"n":"a","v":1,"x":1e999}]""").Should().Equal(Plain);
        SenmlCbor.Read(SenmlExamples.FromHex("81 a3 00 6161 02 01 6178 f97c00")).Should().Equal(Plain);
    }

    [Fact]
    [Trait("RFC", "8428 4.4")]
    public void A_record_of_ignored_fields_is_left_out_and_counted()
    {
        var json = """[{"x":[1]},{"n":"a","v":1}]"""u8.ToArray();
        var cbor = SenmlExamples.FromHex("82 a2 1863 01 6178 80 a2 00 6161 02 01");
        var xml = """<sensml xmlns="urn:ietf:params:xml:ns:senml"><senml ä="1"/><senml n="a" v="1"/></sensml>""";

        SenmlJson.Read(json).Should().Equal(Plain);
        SenmlCbor.Read(cbor).Should().Equal(Plain);
        SenmlXml.Read(Encoding.UTF8.GetBytes(xml)).Should().Equal(Plain);
        ReadStream(json, ContentFormats.SensmlJson).Should().Equal(Plain);
        ReadStream(cbor, ContentFormats.SensmlCbor).Should().Equal(Plain);
        json.Invoking(_ => Read("""[{"x":[1]},{"n":"a"}]""")).Should().Throw<CoapPayloadException>().WithMessage("Record 2: *");
        json.Invoking(_ => Read("""[{"x":[1]}]""")).Should().Throw<CoapPayloadException>().WithMessage("The pack has no record; *");
    }

    [Fact]
    [Trait("RFC", "8428 4.4")]
    public void Unknown_fields_do_not_turn_base_fields_into_a_measurement()
    {
        var pack = Read("""[{"bn":"a","bv":5,"x":1},{"y":"z"},{"v":1}]""");

        pack.Should().HaveCount(3);
        pack.ToMeasurements(DateTimeOffset.UnixEpoch.AddYears(50)).Select(one => one.Value!.Value.Number).Should().Equal(6);
        Read(Encoding.UTF8.GetString(SenmlJson.ToBytes(pack))).Should().Equal(pack);
    }

    [Theory]
    [InlineData("xmlns")]
    [InlineData("1x")]
    [InlineData("x:y")]
    public void Labels_that_XML_lacks_are_an_error_of_the_caller(string label)
    {
        SenmlPack pack = [Plain with { Extensions = [new(label, "urn:x")] }];

        SenmlJson.Read(SenmlJson.ToBytes(pack)).Should().Equal(pack);
        pack.Invoking(one => SenmlXml.ToBytes(one)).Should().Throw<ArgumentException>();
    }

    private static SenmlPack Read(string json) => SenmlJson.Read(Encoding.UTF8.GetBytes(json));

    private static List<SenmlRecord> ReadStream(byte[] bytes, uint contentFormat) => [.. SenmlStream.Read(new MemoryStream(bytes), contentFormat)];

    // A record with a name, a value and an unknown field.
    private static byte[] Cbor(string label)
    {
        var text = Encoding.UTF8.GetBytes(label);
        return [0x81, 0xa3, 0x00, 0x61, (byte)'a', 0x02, 0x01, (byte)(0x60 + text.Length), .. text, 0x02];
    }
}
