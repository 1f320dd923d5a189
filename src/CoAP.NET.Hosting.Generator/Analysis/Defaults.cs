using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace CoAP.Hosting.Generation.Analysis;

/// <summary>Writes the default values of parameters.</summary>
internal static class Defaults
{
    /// <summary>Returns the value of a parameter that may be absent as an expression; <see langword="null"/> if it must be present.</summary>
    public static string? OrNull(IParameterSymbol parameter)
    {
        if (parameter.HasExplicitDefaultValue) { return Of(parameter); }
        return TypeChecks.IsNullable(parameter) ? "null" : null;
    }

    /// <summary>Returns the explicit default value of a parameter as an expression.</summary>
    public static string Of(IParameterSymbol parameter)
    {
        var value = parameter.ExplicitDefaultValue;
        var type = TypeChecks.WithoutNullable(parameter.Type);
        if (value is null) { return parameter.Type.IsValueType && !TypeChecks.IsNullable(parameter) ? "default" : "null"; }
        return type.TypeKind == TypeKind.Enum || IsSmall(type) ? $"({TypeNames.Of(type)})({Literal(value)})" : Literal(value);
    }

    // There are no literals of these types, and a conditional expression does not convert one of int.
    private static bool IsSmall(ITypeSymbol type) =>
        type.SpecialType is SpecialType.System_Byte or SpecialType.System_SByte or SpecialType.System_Int16 or SpecialType.System_UInt16;

    /// <summary>Returns a constant as an expression.</summary>
    public static string Literal(object value) => value switch
    {
        double.NaN => "double.NaN",
        double.PositiveInfinity => "double.PositiveInfinity",
        double.NegativeInfinity => "double.NegativeInfinity",
        float.NaN => "float.NaN",
        float.PositiveInfinity => "float.PositiveInfinity",
        float.NegativeInfinity => "float.NegativeInfinity",
        double number => number.ToString("R", CultureInfo.InvariantCulture) + "d",
        float number => number.ToString("R", CultureInfo.InvariantCulture) + "f",
        decimal number => number.ToString(CultureInfo.InvariantCulture) + "m",
        long number => number.ToString(CultureInfo.InvariantCulture) + "L",
        ulong number => number.ToString(CultureInfo.InvariantCulture) + "UL",
        uint number => number.ToString(CultureInfo.InvariantCulture) + "U",
        _ => SymbolDisplay.FormatPrimitive(value, quoteStrings: true, useHexadecimalNumbers: false) ?? "default",
    };
}
