using System.Text;

namespace CoAP.Formats.Tests;

public sealed class XmlErrorsTests
{
    private static readonly XmlFormat Format = new(RoomContracts.Default);

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
    [InlineData("<a>&#0;</a>")]
    [InlineData("<a>&#1;</a>")]
    [InlineData("<a>&#xFFFE;</a>")]
    [InlineData("<a>\u0001</a>")]
    [InlineData("<a><b/></a>")]
    public void Refuses_what_is_not_well_formed_or_not_a_text(string xml)
    {
        var error = Error<string>(xml);

        error.Message.Should().EndWith($"(at byte {error.Offset}).").And.NotContain("System.").And.NotContain("Line");
    }

    [Theory]
    [InlineData("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>")]
    [InlineData("<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>")]
    [InlineData("<!DOCTYPE a [<!ENTITY b SYSTEM 'http://127.0.0.1/'>]><a>&b;</a>")]
    [InlineData("<!DOCTYPE a [<!ENTITY % b 'x'> %b;]><a/>")]
    [InlineData("<!DOCTYPE l [<!ENTITY l0 'l'><!ENTITY l1 '&l0;&l0;&l0;&l0;'><!ENTITY l2 '&l1;&l1;&l1;&l1;'>]><a>&l2;&l2;</a>")]
    public void Refuses_document_type_definitions(string xml)
    {
        Error<string>(xml).Message.Should().StartWith("Invalid XML: ");
        FluentActions.Invoking(() => Format.ReadItems<string>(new Pieces(Encoding.UTF8.GetBytes(xml), 3)).Count())
            .Should().Throw<CoapPayloadException>();
    }

    [Theory]
    [InlineData("FFFE3C0061002F003E00")]
    [InlineData("3C0061002F003E00")]
    [InlineData("3C613EFF3C2F613E")]
    [InlineData("3C613EEDA0803C2F613E")]
    [InlineData("3C613EC0AF3C2F613E")]
    public void Refuses_what_is_not_utf8(string hex)
    {
        var read = () => Format.Read<string>(Convert.FromHexString(hex));

        read.Should().Throw<CoapPayloadException>();
    }

    [Theory]
    [InlineData("<a><value>x</value></a>", "The text of the element is not a number (at byte 3).")]
    [InlineData("<a><name/><value>1,5</value></a>", "The text of the element is not a number (at byte 10).")]
    [InlineData("<a>\r\n <!-- <x> --> <name/>\n<is_x0020_on y='>'>maybe</is_x0020_on></a>",
        "The text of the element is not true or false (at byte 27).")]
    [InlineData("<a><children><b/><b><_4>*</_4></b></children></a>", "The text of the element is not Base64 (at byte 20).")]
    [InlineData("<a><time>yesterday</time></a>", "The text of the element is not a date and time (at byte 3).")]
    [InlineData("<a><counts><x>1</x><y>99999999999</y></counts></a>", "*(at byte 19).")]
    [InlineData("<a><children><b/>x</children></a>", "An element is required here, not a text (at byte *).")]
    [InlineData("<a>x</a>", "An element is required here, not a text (at byte *).")]
    [InlineData("<a><value><b/></value></a>", "*(at byte *).")]
    public void Says_what_is_wrong_and_where(string xml, string message) => Error<Room>(xml).Message.Should().Match(message);

    [Fact]
    public void Lists_with_wrong_items_say_which()
    {
        Error<List<int>>("<a><b>1</b><b>2.5</b></a>").Message
            .Should().Be("The text of the element is not an integer from -2^63 to 2^63 - 1 (at byte 11).");
        Error<int[]>("<a><b>1</b><b>2147483648</b></a>").Message.Should().EndWith("(at byte 11).");
    }

    private static CoapPayloadException Error<T>(string xml) =>
        FluentActions.Invoking(() => Format.Read<T>(Encoding.UTF8.GetBytes(xml))).Should().Throw<CoapPayloadException>().Which;
}
