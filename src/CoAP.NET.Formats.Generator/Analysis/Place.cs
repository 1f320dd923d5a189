using Microsoft.CodeAnalysis;

namespace CoAP.Formats.Generation.Analysis;

/// <summary>Where a type is used, for diagnostics.</summary>
/// <param name="Subject">What uses it: a property, or the type itself.</param>
/// <param name="Location">Where it is in the source.</param>
/// <param name="Attribute">Where the attribute is that leads to it.</param>
internal sealed record Place(string Subject, Location? Location, Location? Attribute)
{
    /// <summary>Creates a problem here.</summary>
    public Problem Problem(DiagnosticDescriptor rule, string subject, string detail = "") =>
        Generation.Problem.At(rule, Location is { IsInSource: true } ? Location : Attribute, subject, detail);

    /// <summary>Returns the place of a symbol that is reached from here.</summary>
    public Place At(ISymbol symbol) => new(
        $"{symbol.ContainingType?.Name}.{symbol.Name}", symbol.Locations.Length > 0 ? symbol.Locations[0] : null, Attribute);
}
