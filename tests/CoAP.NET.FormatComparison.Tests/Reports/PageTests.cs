using CoAP.FormatComparison.Reports;

namespace CoAP.FormatComparison.Tests.Reports;

public sealed class PageTests
{
    [Fact]
    public void A_table_replaces_what_was_between_its_marks()
    {
        var page = Page.Fill(["before", "<!-- table one -->", "old", "older", "<!-- end -->", "after"], static name => $"new {name}\n");

        page.Should().Be("before\n<!-- table one -->\nnew one\n<!-- end -->\nafter\n");
    }

    [Fact]
    public void Comma_separated_values_become_Markdown() =>
        Page.ToMarkdown("format,\"time, ms\"\nJSON,\"a \"\"quoted\"\" | cell\"\n")
            .Should().Be("| format | time, ms |\n| --- | --- |\n| JSON | a \"quoted\" \\| cell |\n");
}
