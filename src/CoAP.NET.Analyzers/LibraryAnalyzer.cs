using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace CoAP.Analyzers;

/// <summary>An analyzer with one rule that runs only where the library is used.</summary>
public abstract class LibraryAnalyzer : DiagnosticAnalyzer
{
    private protected LibraryAnalyzer(DiagnosticDescriptor rule) => SupportedDiagnostics = [rule];

    /// <inheritdoc/>
    public sealed override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; }

    /// <inheritdoc/>
    public sealed override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(start =>
        {
            if (LibraryTypes.Of(start.Compilation) is { } types) { Start(start, types); }
        });
    }

    /// <summary>Registers what looks at the code of a compilation.</summary>
    private protected abstract void Start(CompilationStartAnalysisContext context, LibraryTypes types);
}
