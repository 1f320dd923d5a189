using System.Text;
using System.Xml.Serialization;

namespace CoAP.Formats.Tests;

public sealed class XmlErrorsTests
{
    private static readonly XmlSerializerFormat Format = new([typeof(XmlNote), typeof(XmlDevice)]);

    [Trait("RFC", "7303 3")]
    [Theory, InlineData("<a>x</a>"), InlineData("<?xml version='1.0' encoding='utf-8'?><!-- b --><a><![CDATA[x]]></a>"), InlineData("<a>&#120;</a>")]
    public void Reads_the_forms_of_a_text(string xml) => Format.Read<XmlNote>(Encoding.UTF8.GetBytes(xml)).Text.Should().Be("x");

    [Theory]
    [InlineData("")]
    [InlineData("x")]
    [InlineData("<a>")]
    [InlineData("<a></b>")]
    [InlineData("<a/><b/>")]
    [InlineData("<a/>x")]
    [InlineData("<a><b></a></b>")]
    [InlineData("<a b='1' b='2'/>")]
    [InlineData("<a b=1/>")]
    [InlineData("<a b/>")]
    [InlineData("<1a/>")]
    [InlineData("<x:a/>")]
    [InlineData("<a>&unknown;</a>")]
    [InlineData("<a>&</a>")]
    [InlineData("<a>]]></a>")]
    [InlineData("<a><![CDATA[x</a>")]
    [InlineData("<a><!-- -- --></a>")]
    [InlineData("<?xml version='1.1'?><a/>")]
    [InlineData("<?xml version='1.0' encoding='utf-16'?><a/>")]
    [InlineData("<?pi x?><a/>")]
    [InlineData("<a>\u0001</a>")]
    public void Refuses_what_is_not_well_formed(string xml)
    {
        var error = Error(xml);

        error.Message.Should().StartWith("Invalid XML: ").And.NotContain("System.").And.NotContain("Line");
    }

    [Theory]
    [InlineData("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>")]
    [InlineData("<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>")]
    [InlineData("<!DOCTYPE a [<!ENTITY b SYSTEM 'http://127.0.0.1/'>]><a>&b;</a>")]
    [InlineData("<!DOCTYPE a [<!ENTITY % b 'x'> %b;]><a/>")]
    [InlineData("<!DOCTYPE l [<!ENTITY l0 'l'><!ENTITY l1 '&l0;&l0;&l0;&l0;'><!ENTITY l2 '&l1;&l1;&l1;&l1;'>]><a>&l2;&l2;</a>")]
    public void Refuses_document_type_definitions(string xml) => Error(xml).Message.Should().StartWith("Invalid XML: ");

    [Theory]
    [InlineData("FFFE3C0061002F003E00")]
    [InlineData("3C0061002F003E00")]
    [InlineData("3C613EFF3C2F613E")]
    [InlineData("3C613EEDA0803C2F613E")]
    [InlineData("3C613EC0AF3C2F613E")]
    public void Refuses_what_is_not_utf8(string hex)
    {
        var read = () => Format.Read<XmlNote>(Convert.FromHexString(hex));

        read.Should().Throw<CoapPayloadException>();
    }

    [Theory]
    [InlineData("<a {0}/>", 0)]
    [InlineData("<!-- <a {0} --><a><![CDATA[<b {0}]]><b {0}></b></a>", 2)]
    public void Thousands_of_attributes_are_refused_before_the_tag_is_read(string xml, int copies)
    {
        var attributes = string.Join(' ', Enumerable.Range(0, 300_000).Select(i => $"a{i}=''"));
        var bytes = Encoding.UTF8.GetBytes(xml.Replace("{0}", attributes, StringComparison.Ordinal));

        var (allocated, error) = Refusals.Of(() => Format.Read<XmlNote>(bytes));

        error.Message.Should().Match("A start tag has more than 4096 bytes; at most 4096 are allowed (at byte *).");
        error.Offset.Should().BeGreaterThanOrEqualTo(copies * attributes.Length);
        allocated.Should().BeLessThan(64 << 10);
    }

    [Theory]
    [InlineData("<a b='{0}'/>")]
    [InlineData("<{0}/>")]
    [InlineData("<a b='{0}")]
    public void A_long_start_tag_is_refused_before_it_is_read(string xml)
    {
        var bytes = Encoding.UTF8.GetBytes(xml.Replace("{0}", new string('x', 2 << 20), StringComparison.Ordinal));

        var (allocated, error) = Refusals.Of(() => Format.Read<XmlNote>(bytes));

        error.Message.Should().Be("A start tag has more than 4096 bytes; at most 4096 are allowed (at byte 0).");
        allocated.Should().BeLessThan(64 << 10);
    }

    [Theory]
    [InlineData("<a>{0}</a>")]
    [InlineData("<!--{0}--><a>x</a>")]
    [InlineData("<a><![CDATA[<b {0}]]></a>")]
    [InlineData("<a>x<b c='>' d=\">\"/>{0}</a>")]
    public void Long_texts_and_comments_are_no_tags(string xml)
    {
        var bytes = Encoding.UTF8.GetBytes(xml.Replace("{0}", new string('x', 5000), StringComparison.Ordinal));

        Format.Read<XmlNote>(bytes).Text.Should().NotBeNullOrEmpty();
    }

    [Fact]
    public void Skipped_elements_are_bounded_in_depth() =>
        Error($"<a><unknown>{Repeat("<x>", 5_000)}{Repeat("</x>", 5_000)}</unknown></a>").Message.Should().StartWith("The XML exceeds a limit: 64 levels");

    [Fact]
    public void Large_payloads_are_refused_before_they_are_read()
    {
        var read = () => new XmlSerializerFormat([typeof(XmlNote)], new PayloadLimits { MaxSize = 20 }).Read<XmlNote>(new byte[21]);

        read.Should().Throw<CoapPayloadException>().WithMessage("The payload has 21 bytes; at most 20 are allowed (at byte 0).");
    }

    private static string Repeat(string text, int count) => new StringBuilder().Insert(0, text, count).ToString();

    private static CoapPayloadException Error(string xml) =>
        FluentActions.Invoking(() => Format.Read<XmlNote>(Encoding.UTF8.GetBytes(xml))).Should().Throw<CoapPayloadException>().Which;

    [XmlRoot("a")]
    public sealed class XmlNote
    {
        [XmlText]
        public string? Text { get; set; }
    }
}
