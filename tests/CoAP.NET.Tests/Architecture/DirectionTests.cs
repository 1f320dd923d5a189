namespace CoAP.Tests.Architecture;

/// <summary>The direction of the references between the top folders of the shipped projects, resolved by the compiler.</summary>
public sealed class DirectionTests
{
    // A folder may use those on lines below its own. Folders on one line do not know each other. "" is the root of the project.
    private static readonly string[][] Library =
    [
        ["Client", "Server"],
        ["Mesh"],
        ["Caching", "Discovery"],
        ["Robust"],
        ["Blockwise", "Freshness", "Groups", "Observing", "Stateless"],
        ["Resources"],
        ["Datagrams", "Streams"],
        ["Exchanges"],
        ["Lanes"],
        ["Blocks", "Transports"],
        ["Accounting", "Runtimes"],
        ["Vocabulary"],
    ];

    [Fact]
    public void No_reference_in_the_library_points_upwards()
    {
        var graph = SymbolGraph.Of("src/CoAP.NET");

        graph.Files.Select(SymbolGraph.TopFolder).Distinct().Should().BeSubsetOf(Library.SelectMany(level => level), "a new folder takes its place in the order");
        graph.References()
            .Where(one => SymbolGraph.TopFolder(one.From) != SymbolGraph.TopFolder(one.To) && LevelOf(one.To) <= LevelOf(one.From))
            .Select(one => one.Where)
            .Should().BeEmpty();
    }

    public static TheoryData<string> Projects() => [.. SourceProject.Shipped];

    [Theory]
    [MemberData(nameof(Projects))]
    public void No_top_folders_use_each_other(string project)
    {
        var graph = SymbolGraph.Of(project);
        var folders = SymbolGraph.Cycles(graph.References().Select(one => (SymbolGraph.TopFolder(one.From), SymbolGraph.TopFolder(one.To))));

        folders.SelectMany(cycle => graph.References()
                .Where(one => SymbolGraph.TopFolder(one.From) != SymbolGraph.TopFolder(one.To))
                .Where(one => cycle.Contains(SymbolGraph.TopFolder(one.From)) && cycle.Contains(SymbolGraph.TopFolder(one.To))))
            .Select(one => one.Where)
            .Should().BeEmpty();
    }

    private static int LevelOf(string file) => Array.FindIndex(Library, level => level.Contains(SymbolGraph.TopFolder(file)));
}
