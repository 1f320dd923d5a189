using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace CoAP.Formats.Generation.Analysis;

/// <summary>Chooses the constructor that creates objects when a payload is read.</summary>
internal static class Constructors
{
    /// <summary>Chooses the marked constructor, the only public one, or the one with the most parameters that all belong to properties.</summary>
    public static bool TryChoose(INamedTypeSymbol type, IReadOnlyList<IPropertySymbol> properties, out IMethodSymbol constructor, out string reason)
    {
        constructor = null!;
        reason = "";
        var all = type.InstanceConstructors.Where(one => !IsCopy(one, type)).ToArray();
        var marked = all.Where(one => Attributes.Has(one, Attributes.JsonConstructor)).ToArray();
        var candidates = marked.Length > 0 ? marked : all;
        candidates = candidates.Where(one => one.DeclaredAccessibility is Accessibility.Public).ToArray();
        if (marked.Length > 1) { reason = "several constructors are marked with [JsonConstructor]"; }
        else if (candidates.Length == 0) { reason = marked.Length > 0 ? "the marked constructor is not public" : "it has no public constructor"; }
        else
        {
            var usable = candidates.Where(one => one.Parameters.All(parameter => Match(parameter, properties) is not null)).ToArray();
            constructor = usable.OrderByDescending(one => one.Parameters.Length).FirstOrDefault()!;
            if (constructor is null) { reason = Describe(candidates, properties); }
        }
        return constructor is not null;
    }

    /// <summary>Returns the property that belongs to a parameter, or <see langword="null"/>.</summary>
    public static IPropertySymbol? Match(IParameterSymbol parameter, IReadOnlyList<IPropertySymbol> properties) =>
        parameter.RefKind is not (RefKind.None or RefKind.In) ? null : properties.FirstOrDefault(property =>
            string.Equals(property.Name, parameter.Name, StringComparison.OrdinalIgnoreCase)
            && SymbolEqualityComparer.Default.Equals(property.Type, parameter.Type));

    /// <summary>Returns the default value of a parameter as an expression, or <see langword="null"/> if it has none.</summary>
    public static string? DefaultOf(IParameterSymbol parameter)
    {
        if (!parameter.HasExplicitDefaultValue) { return null; }
        var literal = parameter.ExplicitDefaultValue switch
        {
            null => "default!",
            double.NaN => "double.NaN",
            double.PositiveInfinity => "double.PositiveInfinity",
            double.NegativeInfinity => "double.NegativeInfinity",
            float.NaN => "float.NaN",
            float.PositiveInfinity => "float.PositiveInfinity",
            float.NegativeInfinity => "float.NegativeInfinity",
            double number => number.ToString("R", CultureInfo.InvariantCulture) + "D",
            float number => number.ToString("R", CultureInfo.InvariantCulture) + "F",
            decimal number => number.ToString(CultureInfo.InvariantCulture) + "M",
            var value => SymbolDisplay.FormatPrimitive(value, quoteStrings: true, useHexadecimalNumbers: false) ?? "default!",
        };
        return literal == "default!" ? literal : $"({TypeNames.InSource(parameter.Type)})({literal})";
    }

    private static bool IsCopy(IMethodSymbol constructor, INamedTypeSymbol type) =>
        type.IsRecord && constructor.Parameters.Length == 1 && SymbolEqualityComparer.Default.Equals(constructor.Parameters[0].Type, type);

    private static string Describe(IMethodSymbol[] candidates, IReadOnlyList<IPropertySymbol> properties)
    {
        if (candidates.Length > 1) { return "each of its constructors has a parameter without a property of the same name and type"; }
        var parameter = candidates[0].Parameters.First(one => Match(one, properties) is null);
        return $"the parameter {parameter.Name} of its constructor has no property of the same name and type";
    }
}
