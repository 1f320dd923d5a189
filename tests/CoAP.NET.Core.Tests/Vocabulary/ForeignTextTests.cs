using CoAP.Vocabulary;

namespace CoAP.Tests.Vocabulary;

/// <summary>Text of peers in logs.</summary>
public sealed class ForeignTextTests
{
    [Theory]
    [InlineData("/sensors/température 1", "/sensors/température 1")]
    [InlineData("/a\r\nInfo: all is well", "/a  Info: all is well")]
    [InlineData("/a\u2028b\u2029c\u0085d", "/a b c d")]
    [InlineData("/a\u202eb\u2066c\u200fd", "/a b c d")]
    [InlineData("/\u001b[31mred", "/ [31mred")]
    public void Characters_that_could_forge_a_line_or_its_order_become_spaces(string text, string expected) =>
        ForeignText.Clean(text).Should().Be(expected);

    [Fact]
    public void Long_text_is_cut_between_characters() =>
        ForeignText.Clean(new string('x', 255) + "\ud83d\ude00").Should().Be(new string('x', 255) + "…");
}
