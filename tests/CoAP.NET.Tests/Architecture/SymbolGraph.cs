using System.Collections.Concurrent;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace CoAP.Tests.Architecture;

/// <summary>Which file of a project uses types of which other file, by the compiler's own semantic model.</summary>
internal sealed class SymbolGraph
{
    private static readonly ConcurrentDictionary<string, Lazy<SymbolGraph>> Graphs = new();

    private readonly ConcurrentDictionary<(string From, string To), string> _references = [];

    public SymbolGraph(SourceProject project)
    {
        Files = [.. project.Trees.Keys];
        Parallel.ForEach(project.Trees, one => Collect(one.Key, one.Value, project.Compilation.GetSemanticModel(one.Value)));
    }

    public IReadOnlyList<string> Files { get; }

    /// <summary>The references between files, each with the line of the first one.</summary>
    public IEnumerable<(string From, string To, string Where)> References() => _references.Select(one => (one.Key.From, one.Key.To, one.Value));

    /// <param name="project">The folder of the project, such as "src/CoAP.NET".</param>
    public static SymbolGraph Of(string project) => Graphs.GetOrAdd(project, static one => new(() => new SymbolGraph(SourceProject.Of(one)))).Value;

    /// <summary>The top folder of a file; "" for the root.</summary>
    public static string TopFolder(string file) => file.Contains('/') ? file[..file.IndexOf('/')] : "";

    /// <summary>The groups of nodes that reach each other, largest first.</summary>
    public static IReadOnlyList<IReadOnlyList<string>> Cycles(IEnumerable<(string From, string To)> edges)
    {
        var next = edges.Where(edge => edge.From != edge.To).ToLookup(edge => edge.From, edge => edge.To);
        var reachable = next.Select(group => group.Key).ToDictionary(node => node, node => Reach(node, next));
        return
        [
            .. reachable.Where(one => one.Value.Contains(one.Key))
                .Select(one => one.Value.Where(other => reachable.TryGetValue(other, out var back) && back.Contains(one.Key)).Order(StringComparer.Ordinal).ToArray())
                .DistinctBy(cycle => cycle[0]).OrderByDescending(cycle => cycle.Length),
        ];
    }

    private static HashSet<string> Reach(string start, ILookup<string, string> next)
    {
        var seen = new HashSet<string>();
        var waiting = new Stack<string>(next[start]);
        while (waiting.TryPop(out var node))
        {
            if (!seen.Add(node)) { continue; }
            foreach (var other in next[node]) { waiting.Push(other); }
        }
        return seen;
    }

    private void Collect(string file, SyntaxTree tree, SemanticModel model)
    {
        foreach (var name in tree.GetRoot().DescendantNodes().Where(node => node is SimpleNameSyntax or ImplicitObjectCreationExpressionSyntax))
        {
            if (name.FirstAncestorOrSelf<UsingDirectiveSyntax>() is not null) { continue; }
            var info = model.GetSymbolInfo(name);
            var type = (info.Symbol ?? info.CandidateSymbols.FirstOrDefault()) switch
            {
                INamedTypeSymbol named => named,
                { ContainingType: { } containing } and not ILocalSymbol and not IParameterSymbol => containing,
                _ => null,
            };
            foreach (var declaration in type?.OriginalDefinition.DeclaringSyntaxReferences ?? [])
            {
                var target = declaration.SyntaxTree.FilePath;
                if (target != file && target.Length > 0) { _references.TryAdd((file, target), $"{file}:{name.GetLocation().GetLineSpan().StartLinePosition.Line + 1} uses {type!.Name} of {target}"); }
            }
        }
    }
}
