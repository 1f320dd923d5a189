using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Text;

namespace CoAP.Hosting.Generation.Results;

/// <summary>A diagnostic without symbols, so that it can be compared.</summary>
internal sealed record Problem(string Id, string Subject, string Detail, string Path, TextSpan Span, LinePositionSpan Lines)
{
    public static Problem At(DiagnosticDescriptor rule, Location? location, string subject, string detail = "")
    {
        var place = location is { IsInSource: true } ? location.GetLineSpan() : default;
        return new Problem(rule.Id, subject, detail, place.Path ?? "", location?.SourceSpan ?? default, place.Span);
    }

    public Diagnostic ToDiagnostic() => Diagnostic.Create(
        Rules.All[Id], Path.Length == 0 ? Location.None : Location.Create(Path, Span, Lines), Subject, Detail);
}
