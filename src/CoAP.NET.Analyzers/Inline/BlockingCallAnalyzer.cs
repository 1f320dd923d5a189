using System.Collections.Concurrent;
using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace CoAP.Analyzers.Inline;

/// <summary>Reports calls that block in handlers, steps, authorizers, filters and stages that run on the lane.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class BlockingCallAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [Rules.BlockingCall];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(Start);
    }

    private static void Start(CompilationStartAnalysisContext context)
    {
        if (LibraryTypes.Of(context.Compilation) is not { } types) { return; }
        var mappings = new Mappings(types, context.Compilation);
        var blocking = new BlockingCalls(types, context.Compilation);
        // Two mappings may name the same method.
        var reported = new ConcurrentDictionary<Location, bool>();
        context.RegisterOperationAction(
            found => Report(mappings.In((IInvocationOperation)found.Operation), found.ReportDiagnostic), OperationKind.Invocation);
        context.RegisterOperationAction(
            found => Report(mappings.In((IDelegateCreationOperation)found.Operation), found.ReportDiagnostic), OperationKind.DelegateCreation);
        context.RegisterOperationBlockAction(found => Report(mappings.In(found.OwningSymbol, found.OperationBlocks), found.ReportDiagnostic));

        void Report(IEnumerable<InlineCode> codes, Action<Diagnostic> report)
        {
            foreach (var code in codes)
            {
                foreach (var call in blocking.In(code))
                {
                    if (reported.TryAdd(call.Location, true)) { report(call.ToDiagnostic(code)); }
                }
            }
        }
    }
}
