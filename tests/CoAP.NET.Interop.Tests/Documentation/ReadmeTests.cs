using System.Text.RegularExpressions;
using CoAP.Interop.Tests.Programs;

namespace CoAP.Interop.Tests.Documentation;

/// <summary>Code in the documentation is compiled or run: each block stands, line for line, in a file of the samples.</summary>
public sealed partial class ReadmeTests
{
    public static TheoryData<string> Pages()
    {
        var pages = new TheoryData<string> { "README.md", "CONTRIBUTING.md" };
        foreach (var file in Directory.EnumerateDirectories(Path.Combine(Repository.Root, "src")).Select(folder => Path.Combine(folder, "README.md")).Where(File.Exists))
        {
            pages.Add(Path.GetRelativePath(Repository.Root, file));
        }
        foreach (var file in Directory.EnumerateFiles(Path.Combine(Repository.Root, "docs"), "*.md", SearchOption.AllDirectories))
        {
            pages.Add(Path.GetRelativePath(Repository.Root, file));
        }
        return pages;
    }

    [Theory]
    [MemberData(nameof(Pages))]
    public void Each_block_of_code_stands_in_a_sample(string page)
    {
        var folder = Path.Combine(Repository.Root, "samples");
        var samples = new[] { "*.cs", "*.js" }.SelectMany(files => Directory.EnumerateFiles(folder, files, SearchOption.AllDirectories))
            .Select(file => Lines(File.ReadAllText(file))).ToArray();

        var unknown = BlocksOf(page).Where(block => !samples.Any(sample => Contains(sample, block)));

        unknown.Should().BeEmpty();
    }

    [Fact]
    public void The_programs_of_the_readme_are_short()
    {
        var lines = BlocksOf("README.md").Select(LinesOfCode).ToList();

        lines.Should().HaveCount(5, "a client, a server, a hosted server, its client, and a test");
        lines[..2].Should().OnlyContain(static count => count <= 10);
        (lines[2] + lines[3]).Should().BeLessThan(30, "the heading says so");
    }

    [Fact]
    public void The_recipes_are_short() => BlocksOf("docs/recipes.md").Sum(LinesOfCode).Should().BeLessThanOrEqualTo(90, "the page says so");

    [Theory]
    [InlineData("b();\nc();", true)]
    [InlineData("b();\n    c();", false)]
    [InlineData("a();\nc();", false)]
    [InlineData("b(", false)]
    public void A_block_has_to_be_whole_lines_in_their_order(string block, bool isThere) =>
        Contains(Lines("    a();\n    b();\n    c();\n"), block).Should().Be(isThere);

    private static int LinesOfCode(string block) => block.Split('\n').Count(static line => line.Length > 0);

    private static List<string> BlocksOf(string page)
    {
        var text = File.ReadAllText(Path.Combine(Repository.Root, page)).ReplaceLineEndings("\n");
        return [.. Block().Matches(text).Select(match => match.Groups["code"].Value)];
    }

    // The code of a block, indented as a whole as far as the sample is.
    private static bool Contains(string[] sample, string block)
    {
        var lines = Lines(block);
        return Enumerable.Range(0, Math.Max(0, sample.Length - lines.Length + 1)).Any(start =>
        {
            var indent = sample[start][..^sample[start].TrimStart().Length];
            return lines.Select(line => line.Length == 0 ? "" : indent + line).SequenceEqual(sample.Skip(start).Take(lines.Length));
        });
    }

    private static string[] Lines(string text) => [.. text.ReplaceLineEndings("\n").Split('\n').Select(line => line.TrimEnd())];

    [GeneratedRegex(@"^```(?:csharp|cs|js)\n(?<code>.*?)\n```", RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex Block();
}
