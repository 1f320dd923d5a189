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

    private static IEnumerable<string> AllFiles() => new[] { "src", "tests", "samples", "benchmarks" }.SelectMany(SourceTree.Files);
}
