using System.Buffers;
using System.Text;
using System.Xml;
using System.Xml.Linq;

namespace CoAP.Formats.Tests;

public sealed class XmlFormatTests
{
    private static readonly XmlFormat Format = new(RoomContracts.Default);

    private static readonly Room Example = new("K\u00fcche <&>\"' \r\n\t", -0.1, true)
    {
        Raw = [0, 255],
        Children = [new Room("", double.PositiveInfinity, false), new Room("\U0001f600", double.NaN, false) { Counts = new() { ["_x0041_"] = 1 } }],
        Counts = new() { ["a b"] = 1, [""] = 2, ["\u00e9"] = -3, ["1"] = 4, ["item"] = 5 },
        Time = new DateTimeOffset(2026, 2, 28, 12, 0, 0, 500, TimeSpan.FromHours(1)),
    };

    [Fact]
    public void Has_content_format_41() => (Format.ContentFormat, Format.Name, Format.Root).Should().Be((41u, "XML", "value"));

    [Fact]
    public void Writes_elements_as_documented() =>
        Text(new Room("a<b", 1.5, true) { Raw = [1], Children = [new Room("", 1, false)], Counts = new() { ["k 1"] = 7 } })
        .Should().Be("<value><name>a&lt;b</name><value>1.5</value><is_x0020_on>true</is_x0020_on><_4>AQ==</_4><children><item><name/><value>1</value>"
            + "<is_x0020_on>false</is_x0020_on><_4/><children/><counts/>"
            + "<time xsi:nil=\"true\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"/></item>"
            + "</children><counts><k_x0020_1>7</k_x0020_1></counts>"
            + "<time xsi:nil=\"true\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"/></value>");

    [Fact]
    public void Reads_what_it_has_written_twice_with_the_same_reader()
    {
        for (var i = 0; i < 2; i++) { Format.Read<Room>(JsonFormatTests.Written(Format, Example)).Should().BeEquivalentTo(Example); }
    }

    [Fact]
    public void Another_parser_sees_the_same_values()
    {
        var document = XDocument.Parse(Text(Example), LoadOptions.PreserveWhitespace).Root!;

        document.Element("name")!.Value.Should().Be(Example.Name);
        ((double)document.Element("value")!).Should().Be(-0.1);
        ((bool)document.Element(XmlConvert.EncodeLocalName("is on"))!).Should().BeTrue();
        ((DateTimeOffset)document.Element("time")!).Should().Be(Example.Time!.Value);
        document.Element("children")!.Elements("item").Should().HaveCount(2);
        document.Element("counts")!.Elements().Select(element => XmlConvert.DecodeName(element.Name.LocalName))
            .Should().Equal("a b", "\0", "\u00e9", "1", "item");
    }

    [Fact]
    public void Reads_what_another_writer_has_written()
    {
        var document = new XElement("room", new XComment("x"), new XElement("name", new XCData("a]]<b")), new XElement("other", new XElement("x", 1)),
            new XElement("value", 3));

        foreach (var options in new[] { SaveOptions.None, SaveOptions.DisableFormatting })
        {
            var bytes = Encoding.UTF8.GetBytes("<?xml version='1.0' encoding='utf-8'?>\n" + document.ToString(options) + "\n<!-- end -->\n");
            Format.Read<Room>(bytes).Should().BeEquivalentTo(new Room("a]]<b", 3, false));
        }
    }

    [Theory]
    [InlineData("<a>1<!-- x -->2</a>", 12L)]
    [InlineData("<a> 7 </a>", 7L)]
    [InlineData("<n:a xmlns:n='urn:x' n:b='c'>7</n:a>", 7L)]
    [InlineData("<a>&#x37;</a>", 7L)]
    [InlineData("<a><![CDATA[7]]></a>", 7L)]
    [InlineData("\ufeff<a>7</a>", 7L)]
    [Trait("RFC", "7303 3")]
    public void Reads_the_forms_of_xml(string xml, long value) => Read<long>(xml).Should().Be(value);

    [Theory]
    [InlineData(typeof(int), "-2147483648")]
    [InlineData(typeof(ulong), "18446744073709551615")]
    [InlineData(typeof(decimal), "1.5000000000000000000000000001")]
    [InlineData(typeof(decimal), "79228162514264337593543950335")]
    [InlineData(typeof(decimal), "1.50")]
    [InlineData(typeof(TimeSpan), "86400.5")]
    [InlineData(typeof(Guid), "00112233-4455-6677-8899-aabbccddeeff")]
    [InlineData(typeof(DateOnly), "2026-02-28")]
    public void Values_of_the_runtime_keep_all_digits(Type type, string text)
    {
        var xml = Encoding.UTF8.GetBytes($"<value>{text}</value>");
        Func<byte[]> again = Type.GetTypeCode(type) switch
        {
            TypeCode.Int32 => () => JsonFormatTests.Written(Format, Format.Read<int>(xml)),
            TypeCode.UInt64 => () => JsonFormatTests.Written(Format, Format.Read<ulong>(xml)),
            TypeCode.Decimal => () => JsonFormatTests.Written(Format, Format.Read<decimal>(xml)),
            _ when type == typeof(TimeSpan) => () => JsonFormatTests.Written(Format, Format.Read<TimeSpan>(xml)),
            _ when type == typeof(Guid) => () => JsonFormatTests.Written(Format, Format.Read<Guid>(xml)),
            _ => () => JsonFormatTests.Written(Format, Format.Read<DateOnly>(xml)),
        };

        Encoding.UTF8.GetString(again()).Should().Be($"<value>{text}</value>");
    }

    [Fact]
    public void Numbers_and_times_read_back_as_they_were()
    {
        var random = new Random(41);
        for (var i = 0; i < 1000; i++)
        {
            var number = BitConverter.Int64BitsToDouble(random.NextInt64(long.MinValue, long.MaxValue));
            var time = new DateTimeOffset(random.NextInt64(DateTimeOffset.MaxValue.Ticks), TimeSpan.Zero);
            Format.Read<double>(JsonFormatTests.Written(Format, number)).Should().Be(number, "seed 41");
            Format.Read<float>(JsonFormatTests.Written(Format, (float)number)).Should().Be((float)number, "seed 41");
            Format.Read<DateTimeOffset>(JsonFormatTests.Written(Format, time)).Should().Be(time, "seed 41");
        }
    }

    [Fact]
    public void Guesses_kinds_where_no_type_says_them()
    {
        var tree = Read<Tree>("<a>"
            + "<b>1</b><c>true</c><d>1.5</d><e>x</e><f/><g><item/><item>2</item></g>"
            + "<h xmlns:x='http://www.w3.org/2001/XMLSchema-instance' x:nil='1'/></a>");

        tree.Value.Should().BeEquivalentTo(new Dictionary<string, object?>
        {
            ["b"] = 1L,
            ["c"] = true,
            ["d"] = 1.5,
            ["e"] = "x",
            ["f"] = "",
            ["g"] = new List<object?> { "", 2L },
            ["h"] = null,
        });
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(0xfffe)]
    [InlineData(0xd800)]
    [InlineData(0xdc00)]
    public void Refuses_to_write_characters_that_xml_cannot_carry(int character)
    {
        var text = $"a{(char)character}b";
        var write = () => JsonFormatTests.Written(Format, text);
        var key = () => JsonFormatTests.Written(Format, new Dictionary<string, int> { [text] = 1 });

        write.Should().Throw<ArgumentException>().WithMessage("*XML cannot carry this character*");
        key.Should().Throw<ArgumentException>();
        Text("still works").Should().Be("<value>still works</value>");
    }

    [Fact]
    public void The_root_can_be_named_and_any_root_is_read()
    {
        Encoding.UTF8.GetString(JsonFormatTests.Written(new XmlFormat(PayloadContracts.Builtin, root: "n"), 1)).Should().Be("<n>1</n>");
        Read<int>("<n>1</n>").Should().Be(1);
        FluentActions.Invoking(() => new XmlFormat(PayloadContracts.Builtin, root: "a:b"))
            .Should().Throw<ArgumentException>().WithMessage("'a:b' is not*");
    }

    [Fact]
    public void Small_documents_allocate_nothing_but_the_value()
    {
        var xml = "<value>12345</value>"u8.ToArray();
        var output = new ArrayBufferWriter<byte>(1 << 20);
        for (var i = 0; i < 50; i++) { Format.Write(output, Format.Read<int>(xml)); }
        var before = GC.GetAllocatedBytesForCurrentThread();

        for (var i = 0; i < 1000; i++) { Format.Write(output, Format.Read<int>(xml)); }

        (GC.GetAllocatedBytesForCurrentThread() - before).Should().BeLessThan(100_000);
    }

    private static string Text<T>(T value) => Encoding.UTF8.GetString(JsonFormatTests.Written(Format, value));

    private static T Read<T>(string xml) => Format.Read<T>(Encoding.UTF8.GetBytes(xml));
}
