namespace CoAP.Tests.Architecture;

/// <summary>The size of files and folders.</summary>
public sealed class LayoutTests
{
    private const int MostLines = 300;
    private const int MostFiles = 24;

    [Fact]
    public void Files_are_short()
    {
        var long_ones = AllFiles().Select(file => (file, SourceTree.Lines(file).Length)).Where(file => file.Length > MostLines);

        long_ones.Should().BeEmpty($"a file has at most {MostLines} lines");
    }

    [Fact]
    public void Folders_are_small()
    {
        var large = AllFiles().GroupBy(file => file[..file.LastIndexOf('/')]).Where(folder => folder.Count() > MostFiles);

        large.Select(folder => $"{folder.Key} has {folder.Count()}").Should().BeEmpty($"a folder has at most {MostFiles} files");
    }

    // The library and its protocol core are two parts of one product. Every other project uses what any user could use.
    [Fact]
    public void No_shipped_project_sees_internals_of_another()
    {
        var friends = ProjectFiles("src").SelectMany(file => Friends(file).Select(friend => (file, friend))).ToList();
        string[] testing = [.. ProjectFiles("tests").Concat(ProjectFiles("benchmarks")).Select(Path.GetFileNameWithoutExtension)!];

        friends.Should().NotBeEmpty();
        friends.Where(one => one != ("src/CoAP.NET.Core/CoAP.NET.Core.csproj", "CoAP.NET"))
            .Where(one => one.friend != "$(MSBuildProjectName).Tests" && !testing.Contains(one.friend))
            .Should().BeEmpty("only tests and benchmarks see internals");
        SourceTree.Files("src").Where(file => SourceTree.Lines(file).Any(line => line.Contains("InternalsVisibleTo", StringComparison.Ordinal)))
            .Should().BeEmpty("the project files name the assemblies that see internals");
    }

    private static IEnumerable<string> ProjectFiles(string folder) => new[] { "*.csproj", "*.props", "*.targets" }
        .SelectMany(pattern => Directory.EnumerateFiles(Path.Combine(SourceTree.Root, folder), pattern, SearchOption.AllDirectories))
        .Select(file => Path.GetRelativePath(SourceTree.Root, file).Replace('\\', '/'))
        .Where(file => !file.Contains("/obj/", StringComparison.Ordinal));

    private static IEnumerable<string> Friends(string file) => SourceTree.Lines(file)
        .Select(line => line.Split("InternalsVisibleTo Include=\""))
        .Where(parts => parts.Length > 1)
        .Select(parts => parts[1][..parts[1].IndexOf('"', StringComparison.Ordinal)]);

    private static IEnumerable<string> AllFiles() => new[] { "src", "tests", "samples", "benchmarks" }.SelectMany(SourceTree.Files);
}
