using System.Text;

namespace CoAP.Formats.Tests.Xml;

public sealed class XmlTagsTests
{
    private const int Size = 60_000;

    [Theory]
    [InlineData("<"), InlineData("< "), InlineData("<a"), InlineData("<a\""), InlineData("<!--<"), InlineData("<![CDATA[<"),
        InlineData("<?<"), InlineData("</"), InlineData("<!")]
    public void Marks_without_an_end_are_searched_once_for_it(string repeated)
    {
        var xml = Encoding.UTF8.GetBytes(string.Concat(Enumerable.Repeat(repeated, Size / repeated.Length)));

        XmlTags.Check(xml, mostBytes: Size, mostAttributes: Size).Should().BeLessThanOrEqualTo(1);
        FluentActions.Invoking(() => SenmlXml.Read(xml)).Should().Throw<CoapPayloadException>();
    }

    [Fact]
    public void Marks_after_sound_tags_are_searched_once_for_their_end()
    {
        var xml = Encoding.UTF8.GetBytes("<a b='>'><!-- > --><c/></a>" + new string('<', Size));

        XmlTags.Check(xml, mostBytes: Size, mostAttributes: 1).Should().Be(5);
    }

    [Fact]
    public void An_unfinished_tag_is_as_large_as_the_rest()
    {
        var check = () => XmlTags.Check(Encoding.UTF8.GetBytes("<a>" + new string('<', 4097)), mostBytes: 4096, mostAttributes: 1);

        check.Should().Throw<CoapPayloadException>().WithMessage("*more than 4096 bytes*byte 3*");
    }
}
