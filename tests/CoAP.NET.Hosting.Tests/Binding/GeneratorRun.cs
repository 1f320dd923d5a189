using System.Collections.Immutable;
using CoAP.Hosting.Generation;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace CoAP.Hosting.Tests.Binding;

/// <summary>Runs the generator on source in memory.</summary>
internal static class GeneratorRun
{
    private const string Usings = """
        using System; using System.Collections.Generic; using System.IO; using System.Threading; using System.Threading.Tasks;
        using CoAP; using CoAP.Hosting; using CoAP.Options; using Microsoft.Extensions.Hosting;

        """;

    private static readonly CSharpParseOptions Parsing = new CSharpParseOptions(LanguageVersion.CSharp14)
        .WithFeatures([KeyValuePair.Create("InterceptorsNamespaces", "CoAP.Hosting.Generated")]);

    private static readonly ImmutableArray<MetadataReference> References = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!)
        .Split(Path.PathSeparator)
        .Select(path => (MetadataReference)MetadataReference.CreateFromFile(path))
        .ToImmutableArray();

    /// <summary>Returns the source of a method that maps handlers. Its parameters are a host, a map and a group; types follow it.</summary>
    public static string Method(string statements, string types = "") =>
        "internal static class Program { internal static void Map(IHost host, ResourceMap map, ResourceGroup group) { " + statements + " } " + types + " }";

    public static CSharpCompilation Compile(params string[] sources) => CSharpCompilation.Create(
        "Generated", sources.Select(Parse), References,
        new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable)
            .WithGeneralDiagnosticOption(ReportDiagnostic.Error)
            .WithSpecificDiagnosticOptions([KeyValuePair.Create("CS1701", ReportDiagnostic.Suppress)]));

    public static SyntaxTree Parse(string source, int index = 0) => CSharpSyntaxTree.ParseText(Usings + source, Parsing, $"Source{index}.cs", System.Text.Encoding.UTF8);

    public static GeneratorDriver Driver() => CSharpGeneratorDriver.Create(
        [new HandlerGenerator().AsSourceGenerator()], parseOptions: Parsing,
        driverOptions: new GeneratorDriverOptions(IncrementalGeneratorOutputKind.None, trackIncrementalGeneratorSteps: true));

    /// <summary>Returns what the generator and then the compiler report; warnings are errors.</summary>
    public static IReadOnlyList<Diagnostic> Diagnose(string source)
    {
        Driver().RunGeneratorsAndUpdateCompilation(Compile(source), out var output, out var reported);
        return [.. reported, .. output.GetDiagnostics().Where(found => found.Severity >= DiagnosticSeverity.Warning)];
    }

    /// <summary>Returns the generated file.</summary>
    public static string Generate(string source) => Driver().RunGenerators(Compile(source)).GetRunResult().GeneratedTrees.Single().ToString();
}
