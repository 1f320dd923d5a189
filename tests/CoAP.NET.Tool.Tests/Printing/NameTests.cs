using CoAP.Options;
using CoAP.Tool.Printing;

namespace CoAP.Tool.Tests.Printing;

public sealed class NameTests
{
    [Theory]
    [InlineData(0, 1, "GET")]
    [InlineData(0, 7, "iPATCH")]
    [InlineData(2, 5, "2.05 Content")]
    [InlineData(4, 8, "4.08 Request Entity Incomplete")]
    [InlineData(7, 1, "7.01 CSM")]
    [InlineData(2, 30, "2.30")]
    [InlineData(0, 0, "Empty")]
    public void Codes_have_their_registered_names(int codeClass, int detail, string expected) =>
        CodeName.Describe(new CoapCode(codeClass, detail)).Should().Be(expected);

    [Theory]
    [InlineData("50", 50u)]
    [InlineData("json", 50u)]
    [InlineData("application/json", 50u)]
    [InlineData("text", 0u)]
    [InlineData("link-format", 40u)]
    [InlineData("senml+cbor", 112u)]
    [InlineData("65535", 65535u)]
    public void Formats_are_found_by_number_media_type_and_short_name(string text, uint expected)
    {
        FormatName.TryParse(text, out var format).Should().BeTrue();
        format.Should().Be(expected);
    }

    [Theory]
    [InlineData("yaml")]
    [InlineData("65536")]
    [InlineData("")]
    public void Unknown_formats_are_refused(string text) => FormatName.TryParse(text, out _).Should().BeFalse();

    [Fact]
    public void Options_have_their_registered_names()
    {
        Describe(new UriPath("a\u001b")).Should().Be("Uri-Path: a\\u001b");
        Describe(new ContentFormat(50)).Should().Be("Content-Format: application/json");
        Describe(new Block2(3, true, 6)).Should().Be("Block2: 3/1/1024");
        Describe(new ETag(new byte[] { 0x1F, 2 })).Should().Be("ETag: 0x1f02");
        Describe(new IfNoneMatch()).Should().Be("If-None-Match");
        Describe(new UnknownOption(65000, new byte[] { 1 })).Should().Be("Option 65000: 0x01");
    }

    private static string Describe(CoapOption option) => OptionText.Of(option, RequestCode.Get);
}
