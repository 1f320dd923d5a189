using CoAP.Exchanges;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace CoAP.Tests.Architecture;

/// <summary>The figures of Proportions.approved.txt.</summary>
internal static class Proportions
{
    private const int WideLine = 140;
    private const int LongMethod = 40;
    private const int LongList = 8;

    private static readonly string[] Folders = ["src", "tests", "samples", "benchmarks"];

    /// <summary>Returns the figures of the repository that need a line.</summary>
    public static IReadOnlyList<Figure> OfRepository()
    {
        var projects = SourceProject.Shipped.Select(static name => (Name: name, Sources: SourceProject.Of(name))).ToList();
        var sources = projects.Select(static one => one.Sources).ToList();
        IEnumerable<Figure> all =
        [
            LongMethods(sources), LongLists(sources),
            .. Folders.Select(static folder => WideLines(folder, SourceTree.Files(folder).Where(IsWritten).SelectMany(SourceTree.Lines))),
            LocatorCalls(sources),
            UpwardInterfaces([.. typeof(CoapClient).Assembly.GetTypes(), .. typeof(CoapMessage).Assembly.GetTypes()]),
            .. projects.SelectMany(static one => FileCycles(one.Name, SymbolGraph.Of(one.Name))),
            .. projects.SelectMany(static one => SpreadTypes(one.Name, one.Sources)),
        ];
        return [.. all.Where(static figure => figure.Number > figure.Least)];
    }

    public static Figure LongMethods(IEnumerable<SourceProject> sources) => Count(
        "long methods in src",
        $"methods, constructors, accessors and local functions over {LongMethod} lines",
        Declarations<SyntaxNode>(sources)
            .Where(static node => node is BaseMethodDeclarationSyntax or AccessorDeclarationSyntax or LocalFunctionStatementSyntax)
            .Where(static node => LinesOf(node) > LongMethod).Select(PlaceOf));

    public static Figure LongLists(IEnumerable<SourceProject> sources) => Count(
        "long parameter lists in src", $"lists of more than {LongList} parameters",
        Declarations<ParameterListSyntax>(sources).Where(static list => list.Parameters.Count > LongList).Select(PlaceOf));

    public static Figure WideLines(string folder, IEnumerable<string> lines) =>
        new($"wide lines in {folder}", lines.Count(static line => line.Length > WideLine), $"lines over {WideLine} columns", []);

    /// <summary>The lookups of objects by type, which hide from the reader and from the compiler who uses whom.</summary>
    public static Figure LocatorCalls(IEnumerable<SourceProject> sources) => Count(
        "calls of the service locator in src",
        $"calls of {nameof(FeatureSet<>)}.Get and Find, which look up the state of a feature by its type",
        sources.SelectMany(static project => project.Trees.Values.SelectMany(tree => LocatorCalls(project.Compilation, tree))));

    /// <summary>The internal interfaces that exist only so that a lower floor can call a higher one.</summary>
    public static Figure UpwardInterfaces(IReadOnlyList<Type> types) => Count(
        "upward interfaces of CoAP.NET and CoAP.NET.Core",
        "internal interfaces with fewer than two implementations; LayoutTests has their reasons",
        types.Where(static type => type is { IsInterface: true, IsVisible: false })
            .Where(contract => types.Count(type => Implements(type, contract)) < 2).Select(static type => type.Name));

    public static IEnumerable<Figure> FileCycles(string project, SymbolGraph graph)
    {
        var cycles = SymbolGraph.Cycles(graph.References().Select(static one => (one.From, one.To)));
        IReadOnlyList<string> places = [.. cycles.Select(static cycle => $"[{string.Join(", ", cycle)}]")];
        yield return new(
            $"largest file cycle of {project}", cycles.Select(static cycle => cycle.Count).FirstOrDefault(),
            "files of the largest group that use each other in a circle", places);
        yield return new($"files in cycles of {project}", cycles.Sum(static cycle => cycle.Count), "files of all such groups", places);
    }

    /// <summary>One figure for each type whose state is in several files.</summary>
    public static IEnumerable<Figure> SpreadTypes(string project, SourceProject sources) => new TypeState(sources).Spread().Select(one => new Figure(
        $"files of {project} {one.Type}", one.Files.Count, "files with its state: its parts, its extensions, and objects that refer back to it",
        one.Files, Least: 1));

    private static IEnumerable<string> LocatorCalls(Compilation compilation, SyntaxTree tree)
    {
        var model = compilation.GetSemanticModel(tree);
        return tree.GetRoot().DescendantNodes().OfType<GenericNameSyntax>()
            .Where(static name => name.Identifier.Text is nameof(FeatureSet<>.Get) or nameof(FeatureSet<>.Find))
            .Where(name => model.GetSymbolInfo(name).Symbol?.ContainingType?.Name == nameof(FeatureSet<>))
            .Select(PlaceOf);
    }

    // Whether the type itself names the interface. A derived type is no other implementation.
    private static bool Implements(Type type, Type contract) => !type.IsInterface && Contracts(type).Contains(contract)
        && (type.BaseType is not { } parent || !Contracts(parent).Contains(contract));

    private static IEnumerable<Type> Contracts(Type type) =>
        type.GetInterfaces().Select(static one => one.IsGenericType ? one.GetGenericTypeDefinition() : one);

    private static Figure Count(string name, string meaning, IEnumerable<string> places)
    {
        IReadOnlyList<string> all = [.. places];
        return new(name, all.Count, meaning, all);
    }

    private static IEnumerable<T> Declarations<T>(IEnumerable<SourceProject> sources)
        where T : SyntaxNode => sources.SelectMany(static project => project.Trees.Values)
            .SelectMany(static tree => tree.GetRoot().DescendantNodes().OfType<T>());

    private static int LinesOf(SyntaxNode node)
    {
        var place = node.GetLocation().GetLineSpan();
        return place.EndLinePosition.Line - place.StartLinePosition.Line + 1;
    }

    private static string PlaceOf(SyntaxNode node) => $"{node.SyntaxTree.FilePath}:{node.GetLocation().GetLineSpan().StartLinePosition.Line + 1}";

    // What a compiler of schemas has written is not meant to be read.
    private static bool IsWritten(string file) => !file.EndsWith(".g.cs", StringComparison.Ordinal);
}
