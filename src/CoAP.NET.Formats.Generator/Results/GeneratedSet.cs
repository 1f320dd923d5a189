using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Text;

namespace CoAP.Formats.Generation;

/// <summary>The source for one partial class. It holds no symbols: two of them are equal if they generate the same.</summary>
/// <param name="HintName">The name of the file.</param>
/// <param name="Source">The source, or <see langword="null"/> if the class cannot be completed.</param>
/// <param name="Problems">What is wrong.</param>
internal sealed record GeneratedSet(string HintName, string? Source, EqualArray<Problem> Problems)
{
    /// <summary>Adds the source and reports the problems.</summary>
    public void AddTo(SourceProductionContext output)
    {
        foreach (var problem in Problems.Items) { output.ReportDiagnostic(problem.ToDiagnostic()); }
        if (Source is not null) { output.AddSource(HintName, SourceText.From(Source, Encoding.UTF8)); }
    }
}
