using System.Collections.Immutable;
using CoAP.Hosting.Generation.Analysis;
using CoAP.Hosting.Generation.Calls;
using CoAP.Hosting.Generation.Emission;
using Microsoft.CodeAnalysis;

namespace CoAP.Hosting.Generation;

/// <summary>Replaces calls of MapCoapGet and its like by code that binds the handler without reflection.</summary>
[Generator(LanguageNames.CSharp)]
public sealed class HandlerGenerator : IIncrementalGenerator
{
    /// <summary>The name of the step whose results are compared: if they are equal, nothing is generated again.</summary>
    public const string CallsStep = "Calls";

    private const string FileName = "CoapHandlers.g.cs";

    /// <inheritdoc/>
    public void Initialize(IncrementalGeneratorInitializationContext context)
    {
        var results = context.SyntaxProvider
            .CreateSyntaxProvider(
                static (node, _) => CallReader.IsCandidate(node),
                static (found, cancellationToken) => CallReader.Read(found, cancellationToken))
            .Where(static result => result is not null)
            .WithTrackingName(CallsStep);
        context.RegisterSourceOutput(results, static (output, result) => Report(output, result!));
        var calls = results.Where(static result => result!.Call is not null).Select(static (result, _) => result!.Call!).Collect();
        context.RegisterSourceOutput(calls, static (output, calls) => Generate(output, calls));
    }

    private static void Report(SourceProductionContext output, CallResult result)
    {
        foreach (var problem in result.Problems.Items) { output.ReportDiagnostic(problem.ToDiagnostic()); }
    }

    private static void Generate(SourceProductionContext output, ImmutableArray<HandlerCall> calls)
    {
        if (!calls.IsEmpty) { output.AddSource(FileName, FileEmitter.Write(calls)); }
    }
}
