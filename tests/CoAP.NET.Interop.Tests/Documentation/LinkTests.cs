using System.Text.RegularExpressions;
using CoAP.Interop.Tests.Programs;

namespace CoAP.Interop.Tests.Documentation;

/// <summary>No link of the documentation is dead, and a reader who starts at its index finds each page.</summary>
public sealed partial class LinkTests
{
    private const string Index = "docs/README.md";

    public static TheoryData<string> Pages()
    {
        var pages = new TheoryData<string> { "README.md", "CHANGELOG.md", "CONTRIBUTING.md" };
        foreach (var page in DocumentedPages().Concat(PackagePages())) { pages.Add(page); }
        return pages;
    }

    [Theory]
    [MemberData(nameof(Pages))]
    public void Each_link_leads_to_a_file_and_each_anchor_to_a_heading(string page)
    {
        var dead = MarkdownPage.Read(PathOf(page)).Links.Where(link => !IsAlive(page, link));

        dead.Should().BeEmpty();
    }

    [Fact]
    public void Each_path_that_the_readme_names_exists()
    {
        var paths = RepositoryPath().Matches(MarkdownPage.Read(PathOf("README.md")).Prose).Select(static match => match.Groups["path"].Value).ToList();

        paths.Should().HaveCountGreaterThan(10);
        paths.Where(static path => !Path.Exists(PathOf(path))).Should().BeEmpty();
    }

    [Fact]
    public void Each_page_can_be_reached_from_the_index()
    {
        var reached = new HashSet<string> { Index };
        var open = new Queue<string>(reached);
        while (open.TryDequeue(out var page))
        {
            foreach (var next in MarkdownPage.Read(PathOf(page)).Links.Select(link => TargetOf(page, link).File).Where(IsPage))
            {
                if (reached.Add(next)) { open.Enqueue(next); }
            }
        }

        DocumentedPages().Except(reached).Should().BeEmpty();
    }

    [Fact]
    public void Each_page_for_users_is_in_the_index()
    {
        var listed = MarkdownPage.Read(PathOf(Index)).Links.Select(static link => TargetOf(Index, link).File);

        DocumentedPages().Where(static page => page.AsSpan().Count('/') == 1).Except(listed).Should().Equal(Index);
    }

    private static IEnumerable<string> PackagePages() => Directory.GetDirectories(PathOf("src")).Append(PathOf("templates"))
        .Select(static folder => Path.Combine(folder, "README.md")).Where(File.Exists).Select(static page => Path.GetRelativePath(Repository.Root, page).Replace('\\', '/'));

    private static bool IsAlive(string page, string link)
    {
        var (file, anchor) = TargetOf(page, link);
        if (!Path.Exists(PathOf(file))) { return false; }
        return anchor.Length == 0 || (file.EndsWith(".md", StringComparison.Ordinal) && MarkdownPage.Read(PathOf(file)).Anchors.Contains(anchor));
    }

    private static bool IsPage(string file) => file.EndsWith(".md", StringComparison.Ordinal) && File.Exists(PathOf(file));

    // The file relative to the root of the repository, and the anchor, which is empty if there is none.
    private static (string File, string Anchor) TargetOf(string page, string link)
    {
        var parts = link.Split('#', 2);
        var anchor = parts.Length > 1 ? parts[1] : "";
        if (parts[0].Length == 0) { return (page, anchor); }
        var path = Path.GetFullPath(Path.Combine(Path.GetDirectoryName(PathOf(page))!, Uri.UnescapeDataString(parts[0])));
        return (Path.GetRelativePath(Repository.Root, path).Replace('\\', '/'), anchor);
    }

    private static IEnumerable<string> DocumentedPages() => Directory.EnumerateFiles(PathOf("docs"), "*.md", SearchOption.AllDirectories)
        .Select(static file => Path.GetRelativePath(Repository.Root, file).Replace('\\', '/')).Order(StringComparer.Ordinal);

    private static string PathOf(string page) => Path.Combine(Repository.Root, page);

    [GeneratedRegex("`(?<path>(?:docs|samples|src|tests|benchmarks)/[^`*<>|\\s]+)`")]
    private static partial Regex RepositoryPath();
}
