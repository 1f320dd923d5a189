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
    public void Filling_a_page_twice_changes_nothing()
    {
        var once = Page.Fill(["<!-- table one -->", "<!-- end -->"], static _ => "| a |\n");

        Page.Fill(once.TrimEnd('\n').Split('\n'), static _ => "| a |\n").Should().Be(once);
    }

    [Fact]
    public void A_table_without_a_file_stays_as_it_is()
    {
        string[] lines = ["<!-- table one -->", "old", "<!-- end -->"];

        Page.Fill(lines, static _ => null).Should().Be(string.Join('\n', lines) + "\n");
    }

    [Fact]
    public void A_page_that_does_not_end_its_table_is_refused() =>
        FluentActions.Invoking(static () => Page.Fill(["<!-- table one -->", "text"], static _ => "| a |\n")).Should().Throw<InvalidDataException>();

    [Fact]
    public void Comma_separated_values_become_Markdown() =>
        Page.ToMarkdown("format,\"time, ms\"\nJSON,\"a \"\"quoted\"\" | cell\"\n")
            .Should().Be("| format | time, ms |\n| --- | --- |\n| JSON | a \"quoted\" \\| cell |\n");

    [Fact]
    public void Files_of_a_folder_fill_a_page()
    {
        var folder = Directory.CreateTempSubdirectory().FullName;
        var page = Path.Combine(folder, "page.md");
        File.WriteAllText(Path.Combine(folder, "formats-one.csv"), "a,b\n1,2\n");
        File.WriteAllText(page, "<!-- table one -->\n<!-- end -->\n");

        Page.Fill(page, folder).Should().Be(0);

        File.ReadAllText(page).Should().Be("<!-- table one -->\n| a | b |\n| --- | --- |\n| 1 | 2 |\n<!-- end -->\n");
        Directory.Delete(folder, recursive: true);
    }
}
