using System.Collections.Concurrent;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace CoAP.Analyzers.Inline;

/// <summary>Reports calls that block in handlers, steps, authorizers, filters and stages that run on the lane.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class BlockingCallAnalyzer : LibraryAnalyzer
{
    /// <summary>Creates the analyzer.</summary>
    public BlockingCallAnalyzer()
        : base(Rules.BlockingCall)
    {
    }

    private protected override void Start(CompilationStartAnalysisContext context, LibraryTypes types)
    {
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
