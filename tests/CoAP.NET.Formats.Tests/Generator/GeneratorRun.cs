using System.Collections.Immutable;
using CoAP.Formats.Generation;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace CoAP.Formats.Tests;

/// <summary>Runs the generator on source in memory.</summary>
internal static class GeneratorRun
{
    private const string Usings = """
        using System; using System.Collections.Generic; using System.Text.Json.Serialization; using CoAP.Formats;

        """;

    private static readonly CSharpParseOptions Parsing = new(LanguageVersion.Preview, DocumentationMode.Diagnose);

    private static readonly ImmutableArray<MetadataReference> References = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!)
        .Split(Path.PathSeparator)
        .Append(typeof(PayloadContracts).Assembly.Location)
        .Append(typeof(CoapPayloadException).Assembly.Location)
        .Distinct()
        .Select(path => (MetadataReference)MetadataReference.CreateFromFile(path))
        .ToImmutableArray();

    public static CSharpCompilation Compile(string source) => CSharpCompilation.Create(
        "Generated", [Parse(source)], References,
        new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable)
            .WithGeneralDiagnosticOption(ReportDiagnostic.Error)
            .WithSpecificDiagnosticOptions([KeyValuePair.Create("CS1701", ReportDiagnostic.Suppress)]));

    public static SyntaxTree Parse(string source) => CSharpSyntaxTree.ParseText(Usings + source, Parsing, "Source.cs");

    public static GeneratorDriver Driver() => CSharpGeneratorDriver.Create(
        [new ContractGenerator().AsSourceGenerator()], parseOptions: Parsing,
        driverOptions: new GeneratorDriverOptions(IncrementalGeneratorOutputKind.None, trackIncrementalGeneratorSteps: true));

    /// <summary>Returns what the generator and then the compiler report: warnings are errors, and public members need documentation.</summary>
    public static IReadOnlyList<Diagnostic> Diagnose(string source)
    {
        Driver().RunGeneratorsAndUpdateCompilation(Compile(source), out var output, out var reported);
        return [.. reported, .. output.GetDiagnostics().Where(found => found.Severity >= DiagnosticSeverity.Warning)];
    }

    /// <summary>Returns the source that is generated for the only set.</summary>
    public static string Generate(string source) => Driver().RunGenerators(Compile(source)).GetRunResult().GeneratedTrees.Single().ToString();
}
