namespace CoAP.Interop.Tests.Documentation;

public sealed class MarkdownPageTests
{
    [Theory]
    [InlineData("## Set a timeout", "set-a-timeout")]
    [InlineData("## UDP or TCP?", "udp-or-tcp")]
    [InlineData("# Drop, delay and duplicate datagrams", "drop-delay-and-duplicate-datagrams")]
    [InlineData("### Meter `CoAP.NET`", "meter-coapnet")]
    [InlineData("## Inspect items: Tap", "inspect-items-tap")]
    [InlineData("## A – B", "a--b")]
    [InlineData("## From [CoAPnet](x.md) ##", "from-coapnet")]
    [InlineData("## snake_case and kebab-case", "snake_case-and-kebab-case")]
    public void A_heading_has_the_anchor_that_GitHub_gives_it(string heading, string anchor) =>
        MarkdownPage.Parse(heading).Anchors.Should().Equal(anchor);

    [Fact]
    public void A_heading_that_occurs_again_gets_a_number() =>
        MarkdownPage.Parse("# A\n\n## B\n\n## B\n\n## B\n").Anchors.Should().BeEquivalentTo("a", "b", "b-1", "b-2");

    [Theory]
    [InlineData("See [the log](logging.md#categories).", "logging.md#categories")]
    [InlineData("![A picture](pictures/a.svg \"Title\")", "pictures/a.svg")]
    [InlineData("[a](<b.md>)", "b.md")]
    [InlineData("[a]: b.md", "b.md")]
    [InlineData("<img src=\"a.png\" width=\"3\">", "a.png")]
    public void A_link_to_a_file_is_found(string text, string target) => MarkdownPage.Parse(text).Links.Should().Equal(target);

    [Theory]
    [InlineData("[RFC 7252](https://www.rfc-editor.org/rfc/rfc7252)")]
    [InlineData("[mail](mailto:someone@example.com)")]
    [InlineData("`[a](b.md)`")]
    [InlineData("```csharp\nx[0](b.md)\n# c\n```")]
    public void Other_links_and_code_are_no_links_to_files(string text)
    {
        MarkdownPage.Parse(text).Links.Should().BeEmpty();
        MarkdownPage.Parse(text).Anchors.Should().BeEmpty();
    }
}
