using CoAP.Benchmarks.Reporting;

namespace CoAP.FormatComparison.Tests;

public sealed class FormatsCommandTests
{
    private static readonly string[] Tables =
    [
        "results", "list", "integers", "tree", "mixed", "sizes", "ranking", "homogeneity-sizes", "homogeneity-serialize", "homogeneity-deserialize",
        "breadth-sizes", "breadth-serialize", "breadth-deserialize", "depth", "depth-errors", "depth-serialize", "depth-deserialize", "async",
        "large", "large-runs",
    ];

    [SkippableFact]
    public async Task A_dry_run_writes_every_file_and_the_page_takes_its_tables_from_them()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "Memory is read from /proc.");
        var folder = Directory.CreateTempSubdirectory().FullName;

        (await FormatsCommand.RunAsync(new Arguments(["--dry", "--output", folder]))).Should().Be(0);

        Directory.GetFiles(folder, "*.csv").Select(Path.GetFileName).Should().BeEquivalentTo(Tables.Select(static name => $"formats-{name}.csv"));
        Directory.GetFiles(folder, "*.svg").Select(Path.GetFileName)
            .Should().BeEquivalentTo("formats-lists.svg", "formats-mixed.svg", "formats-breadth.svg");
        var page = Path.Combine(folder, "page.md");
        File.WriteAllLines(page, Tables.SelectMany(static name => new[] { $"<!-- table {name} -->", "<!-- end -->" }));
        (await FormatsCommand.RunAsync(new Arguments(["--page", page, "--output", folder]))).Should().Be(0);
        File.ReadLines(page).Count().Should().BeGreaterThan(5 * Tables.Length);
        Directory.Delete(folder, recursive: true);
    }

    [Fact]
    public void The_page_of_the_documentation_names_only_tables_that_the_command_writes()
    {
        var lines = File.ReadLines(PathOf("docs/research/formats.md"));
        var marks = lines.Where(static line => line.StartsWith("<!-- table ", StringComparison.Ordinal)).ToList();

        marks.Should().NotBeEmpty().And.BeSubsetOf(Tables.Select(static name => $"<!-- table {name} -->"));
    }

    private static string PathOf(string path)
    {
        var folder = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(folder, "CoAP.NET.sln"))) { folder = Path.GetDirectoryName(folder)!; }
        return Path.Combine(folder, path);
    }
}
