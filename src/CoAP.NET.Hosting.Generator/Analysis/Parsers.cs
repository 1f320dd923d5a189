using Microsoft.CodeAnalysis;

namespace CoAP.Hosting.Generation.Analysis;

/// <summary>Selects the method that parses an argument.</summary>
internal static class Parsers
{
    private const string Owner = "global::CoAP.Hosting.Binding.ArgumentParsers.";

    /// <summary>Returns the method for a type; <see langword="null"/> if its values have no text.</summary>
    public static string? For(ITypeSymbol type)
    {
        var value = TypeChecks.WithoutNullable(type);
        var name = TypeNames.OfValue(value);
        return value switch
        {
            { SpecialType: SpecialType.System_String } => Owner + "Text",
            { SpecialType: SpecialType.System_Boolean } => Owner + "Flag",
            { SpecialType: SpecialType.System_Double or SpecialType.System_Single or SpecialType.System_Decimal } => $"{Owner}Fraction<{name}>",
            { TypeKind: TypeKind.Enum } => $"{Owner}Named<{name}>",
            _ when IsParsable(value) => $"{Owner}Parsable<{name}>",
            _ => null,
        };
    }

    private static bool IsParsable(ITypeSymbol type) => type.AllInterfaces.Any(one =>
        one.Name == "IParsable" && one.TypeArguments.Length == 1 && one.ContainingNamespace.ToDisplayString() == "System"
        && SymbolEqualityComparer.Default.Equals(one.TypeArguments[0], type));
}
