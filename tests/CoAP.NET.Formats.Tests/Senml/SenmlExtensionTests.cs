using System.Text;

namespace CoAP.Formats.Tests;

public sealed class SenmlExtensionTests
{
    private static readonly DateTimeOffset Now = DateTimeOffset.UnixEpoch.AddYears(50);

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
    [Trait("RFC", "8428 4.4"), Trait("RFC", "8428 4.8"), Trait("RFC", "8428 12.3")]
    [InlineData(true)]
    [InlineData(false)]
    public void Streams_ignore_unknown_fields_too_unless_they_must_be_understood(bool isJson)
    {
        Read("x y").Should().Equal(Plain);
        Read("x").Should().ContainSingle().Which.Extensions.Should().Equal(new SenmlExtension("x", 2.0));
        "x_".Invoking(Read).Should().Throw<CoapPayloadException>().WithMessage("Record 1: field 'x_' must be understood and is not *");

        List<SenmlRecord> Read(string label) => isJson
            ? ReadStream(Encoding.UTF8.GetBytes($$"""[{"n":"a","v":1,"{{label}}":2}]"""), ContentFormats.SensmlJson)
            : ReadStream(Cbor(label), ContentFormats.SensmlCbor);
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
    public void A_record_without_any_known_field_is_an_error_that_says_so()
    {
        var json = """[{"n":"a","v":1},{"x":[1],"vlo":"3:0"}]"""u8.ToArray();
        var cbor = SenmlExamples.FromHex("82 a2 00 6161 02 01 a2 1863 01 6178 80");
        var xml = """<sensml xmlns="urn:ietf:params:xml:ns:senml"><senml n="a" v="1"/><senml ä="1"/></sensml>"""u8.ToArray();
        const string Message =
            "Record 2: it has no field that RFC 8428 defines; receivers may ignore * (section 4.4), which would leave nothing*";

        json.Invoking(one => SenmlJson.Read(one))
            .Should().Throw<CoapPayloadException>().WithMessage(Message).WithMessage("*may ignore 'vlo' (section 4.4)*");
        cbor.Invoking(one => SenmlCbor.Read(one)).Should().Throw<CoapPayloadException>().WithMessage(Message);
        xml.Invoking(one => SenmlXml.Read(one)).Should().Throw<CoapPayloadException>().WithMessage(Message);
        json.Invoking(one => ReadStream(one, ContentFormats.SensmlJson)).Should().Throw<CoapPayloadException>().WithMessage(Message);
        cbor.Invoking(one => ReadStream(one, ContentFormats.SensmlCbor)).Should().Throw<CoapPayloadException>().WithMessage(Message);
        json.Invoking(_ => Read("""[{"bx":1}]"""))
            .Should().Throw<CoapPayloadException>().WithMessage("Record 1: it has no field that RFC 8428 defines; *");
        Read("""[{"n":"a","v":1,"bn":"b"},{"x_":1}]""", new SenmlSettings { UnderstoodLabels = new HashSet<string> { "x_" } })
            .Should().HaveCount(2);
    }

    [Theory]
    [Trait("RFC", "8428 4.4"), Trait("RFC", "8428 12.2")]
    [InlineData("""[{"n":"a","vlo":"3:0"},{"n":"b","v":1}]""", 1)]
    [InlineData("""[{"n":"a","u":"W","x":{"y":[1]}},{"n":"b","v":1}]""", 0)]
    [InlineData("""[{"n":"a","ä":2},{"n":"b","v":1}]""", 0)]
    [InlineData("""[{"bn":"a","vlo":"3:0"},{"bn":"","n":"b","v":1}]""", 1)]
    public void An_unknown_field_counts_as_the_value_if_there_is_no_other(string json, int extensions)
    {
        var pack = Read(json);

        pack[0].Extensions.Should().HaveCount(extensions);
        pack.ToMeasurements(Now).Select(one => (one.Name, one.Value?.Number)).Should().Equal(("a", null), ("b", 1));
        pack.Resolve(Now).Select(one => one.Name).Should().Equal("a", "b");
    }

    [Fact]
    [Trait("RFC", "8428 4.4")]
    public void An_unknown_field_counts_as_the_value_in_CBOR_and_XML_too()
    {
        var byNumber = SenmlExamples.FromHex("82 a2 00 6161 1863 6131 a2 00 6162 02 01");
        var xml = """<sensml xmlns="urn:ietf:params:xml:ns:senml"><senml n="a" vlo="3:0"/><senml n="b" v="1"/></sensml>"""u8.ToArray();

        SenmlCbor.Read(byNumber).ToMeasurements(Now).Select(one => one.Name).Should().Equal("a", "b");
        SenmlXml.Read(xml).ToMeasurements(Now).Select(one => one.Name).Should().Equal("a", "b");
        ReadStream(byNumber, ContentFormats.SensmlCbor).Should().HaveCount(2);
    }

    [Theory]
    [Trait("RFC", "8428 4.2")]
    [InlineData("""[{"n":"a","bx":1}]""")]
    [InlineData("""[{"n":"a","u":"W"}]""")]
    public void A_base_field_and_a_unit_are_no_value(string json) =>
        json.Invoking(one => Read(one)).Should().Throw<CoapPayloadException>().WithMessage("Record 1: it has neither a value nor a sum*");

    [Fact]
    [Trait("RFC", "8428 4.4")]
    public void A_value_that_was_ignored_cannot_be_written()
    {
        var written = () => SenmlJson.ToBytes(Read("""[{"n":"a","x":[1]}]"""));

        written.Should().Throw<ArgumentException>().WithMessage("Record 1: its only value is a field that was skipped when it was read*");
        SenmlJson.Read(SenmlJson.ToBytes(Read("""[{"n":"a","vlo":"3:0"}]""")))[0].Extensions.Should().ContainSingle();
    }

    [Fact]
    [Trait("RFC", "8428 4.4")]
    public void Unknown_fields_do_not_turn_base_values_into_a_measurement()
    {
        var pack = Read("""[{"bn":"a","bv":5,"x":1},{"v":1}]""");

        pack.Should().HaveCount(2);
        pack.ToMeasurements(Now).Select(one => one.Value!.Value.Number).Should().Equal(6);
        Read(Encoding.UTF8.GetString(SenmlJson.ToBytes(pack))).Should().Equal(pack);
    }

    [Theory]
    [Trait("RFC", "8428 4.2")]
    [InlineData(true)]
    [InlineData(false)]
    public void A_record_whose_only_value_is_a_base_field_is_read_and_not_written(bool isSum)
    {
        var (what, member) = isSum ? ("sum", "Sum") : ("value", "Value");
        var head = new SenmlRecord { BaseName = "a", BaseValue = isSum ? null : 5, BaseSum = isSum ? 5 : null };
        SenmlPack pack = [head, new SenmlRecord { Name = "b" }];
        var json = $$"""[{"bn":"a","{{(isSum ? "bs" : "bv")}}":5},{"n":"b"}]""";

        Read(json).ToMeasurements(Now).Should().ContainSingle();
        pack.Invoking(one => SenmlJson.ToBytes(one)).Should().Throw<ArgumentException>()
            .WithMessage($"Record 2: its only {what} is the base {what}; set {member} to 0 (RFC 8428, section 4.2).*");
        SenmlJson.ToBytes([pack[0], isSum ? pack[1] with { Sum = 0 } : pack[1] with { Value = 0 }]).Should().NotBeEmpty();
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

    private static SenmlPack Read(string json, SenmlSettings? settings = null) =>
        SenmlJson.Read(Encoding.UTF8.GetBytes(json), settings: settings);

    private static List<SenmlRecord> ReadStream(byte[] bytes, uint contentFormat) => [.. SenmlStream.Read(new MemoryStream(bytes), contentFormat)];

    // A record with a name, a value and an unknown field.
    private static byte[] Cbor(string label)
    {
        var text = Encoding.UTF8.GetBytes(label);
        return [0x81, 0xa3, 0x00, 0x61, (byte)'a', 0x02, 0x01, (byte)(0x60 + text.Length), .. text, 0x02];
    }
}
