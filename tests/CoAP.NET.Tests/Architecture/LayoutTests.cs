using System.Text.RegularExpressions;

namespace CoAP.Tests.Architecture;

/// <summary>The direction of the arrows between folders, and the size of files and folders.</summary>
public sealed partial class LayoutTests
{
    private const int MostLines = 300;
    private const int MostFiles = 14;

    // What stands further down may not use what stands above it; names on one line are neighbours. "" is the root of the project.
    private static readonly string[][] Library = [["", "Settings", "Client", "Caching", "Observing", "Bodies"], ["Mesh"], ["Handlers", "Resources", "Discovery"], ["Channels"], ["Blocks", "Transports"]];
    private static readonly string[][] Core = [["Signaling", "Reliability", "Discovery", "Blockwise", "Observing", "Freshness", "Caching", "Stateless"], ["Uris", "Serialization"], ["Options", "Messages", "Vocabulary", "Problems", ""]];

    // What users touch is in the namespace CoAP; a folder of the core may have the same name.
    private static readonly string[] Vocabulary = ["Settings", "Client", "Caching", "Observing", "Bodies"];

    [Fact]
    public void No_arrow_points_up()
    {
        Arrows("src/CoAP.NET", Library).Concat(Arrows("src/CoAP.NET.Core", Core)).Should().BeEmpty();
    }

    [Fact]
    public void Every_folder_has_its_place_in_the_order()
    {
        foreach (var (project, order) in new[] { ("src/CoAP.NET", Library), ("src/CoAP.NET.Core", Core) })
        {
            var folders = SourceTree.Files(project).Select(file => FolderOf(project, file)).Distinct();
            folders.Should().BeSubsetOf(order.SelectMany(level => level), $"a new folder of {project} takes its place here");
        }
    }

    [Fact]
    public void The_core_knows_nothing_of_the_library()
    {
        var own = Library.SelectMany(level => level).Except(Core.SelectMany(level => level)).ToList();

        var arrows = SourceTree.Files("src/CoAP.NET.Core").SelectMany(file => Usings(file).Intersect(own).Select(used => $"{file} uses CoAP.{used}"));

        arrows.Should().BeEmpty();
    }

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

    private static IEnumerable<string> Arrows(string project, string[][] order) =>
        from file in SourceTree.Files(project)
        from used in Usings(file)
        where !Vocabulary.Contains(used) || order == Core
        where LevelOf(order, used) is var target and >= 0 && target < LevelOf(order, FolderOf(project, file))
        select $"{file} uses CoAP.{used}";

    private static int LevelOf(string[][] order, string folder) => Array.FindIndex(order, level => level.Contains(folder));

    // Folders below are a matter of the folder above them.
    private static string FolderOf(string project, string file)
    {
        var inside = file[(project.Length + 1)..];
        return inside.Contains('/') ? inside[..inside.IndexOf('/')] : "";
    }

    private static IEnumerable<string> Usings(string file) =>
        SourceTree.Lines(file).Select(line => Using().Match(line)).Where(match => match.Success).Select(match => match.Groups["folder"].Value);

    [GeneratedRegex(@"^(global )?using (static )?CoAP\.(?<folder>\w+)")]
    private static partial Regex Using();
}
