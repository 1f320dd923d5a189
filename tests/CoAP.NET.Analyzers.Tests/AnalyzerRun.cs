using System.Collections.Immutable;
using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;

namespace CoAP.Analyzers.Tests;

/// <summary>Runs an analyzer on source in memory. The marks [| and |] enclose the code that it must report.</summary>
internal static class AnalyzerRun
{
    private const string Usings = """
        using System; using System.Collections.Generic; using System.IO; using System.Linq; using System.Net.Http; using System.Threading;
        using System.Threading.Tasks; using CoAP; using CoAP.Hosting; using Microsoft.Extensions.DependencyInjection; using Microsoft.Extensions.Hosting;

        """;

    private static readonly ImmutableArray<MetadataReference> References = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!)
        .Split(Path.PathSeparator)
        .Select(path => (MetadataReference)MetadataReference.CreateFromFile(path))
        .ToImmutableArray();

    /// <summary>Returns the source of a class with a method that has what handlers are mapped with. Members follow the method.</summary>
    public static string Method(string statements, string members = "") => $$"""
        internal sealed class Program
        {
            internal void Map(ResourceMap map, ResourceGroup group, CoapServer server, CoapServerBuilder builder, CoapClient client, IHost host, Resource resource)
            {
                {{statements}}
            }
            {{members}}
        }
        """;

    /// <summary>Returns the messages of an analyzer. Fails if the marked code is not exactly what it reports.</summary>
    public static async Task<IReadOnlyList<string>> CheckAsync(DiagnosticAnalyzer analyzer, params string[] marked)
    {
        var sources = marked.Select(source => Usings + source.ReplaceLineEndings("\n")).ToArray();
        var compilation = Compile(sources);
        compilation.GetDiagnostics().Where(found => found.Severity == DiagnosticSeverity.Error).Should().BeEmpty("the snippet must compile");

        var found = await compilation.WithAnalyzers([analyzer]).GetAnalyzerDiagnosticsAsync();

        var ordered = found.OrderBy(one => one.Location.SourceTree!.FilePath, StringComparer.Ordinal).ThenBy(one => one.Location.SourceSpan.Start).ToArray();
        ordered.Select(one => (one.Location.SourceTree!.FilePath, TextOf(one))).Should().Equal(sources.SelectMany(MarkedIn));
        return [.. ordered.Select(one => $"{one.Id}: {one.GetMessage(CultureInfo.InvariantCulture)}")];
    }

    /// <summary>Returns the identifiers of the warnings of the compiler.</summary>
    public static IReadOnlyList<string> CompilerWarnings(string marked) =>
        [.. Compile([Usings + marked]).GetDiagnostics().Where(found => found.Severity == DiagnosticSeverity.Warning).Select(found => found.Id)];

    private static CSharpCompilation Compile(string[] marked) => CSharpCompilation.Create(
        "Analyzed", marked.Select((source, index) => CSharpSyntaxTree.ParseText(WithoutMarks(source), new CSharpParseOptions(LanguageVersion.CSharp14), NameOf(index))), References,
        new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable));

    private static string WithoutMarks(string source) => source.Replace("[|", "", StringComparison.Ordinal).Replace("|]", "", StringComparison.Ordinal);

    private static IEnumerable<(string File, string Code)> MarkedIn(string source, int index) =>
        source.Split("[|").Skip(1).Select(part => (NameOf(index), part[..part.IndexOf("|]", StringComparison.Ordinal)]));

    private static string TextOf(Diagnostic found) => found.Location.SourceTree!.ToString()[found.Location.SourceSpan.Start..found.Location.SourceSpan.End];

    private static string NameOf(int index) => $"Source{index}.cs";
}
