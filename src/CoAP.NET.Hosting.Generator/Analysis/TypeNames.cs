using Microsoft.CodeAnalysis;

namespace CoAP.Hosting.Generation.Analysis;

/// <summary>Writes the names of types.</summary>
internal static class TypeNames
{
    private static readonly SymbolDisplayFormat Full = SymbolDisplayFormat.FullyQualifiedFormat.AddMiscellaneousOptions(
        SymbolDisplayMiscellaneousOptions.IncludeNullableReferenceTypeModifier);

    /// <summary>Returns the full name, with the annotations of nullability.</summary>
    public static string Of(ITypeSymbol type) => type.ToDisplayString(Full);

    /// <summary>Returns the full name of the type itself, without the annotation of its nullability.</summary>
    public static string OfValue(ITypeSymbol type) => Of(TypeChecks.WithoutNullable(type).WithNullableAnnotation(NullableAnnotation.NotAnnotated));

    /// <summary>Returns the short name of the type itself, for messages.</summary>
    public static string Short(ITypeSymbol type) => TypeChecks.WithoutNullable(type)
        .WithNullableAnnotation(NullableAnnotation.NotAnnotated).ToDisplayString(SymbolDisplayFormat.MinimallyQualifiedFormat);

    public static string OfResult(IMethodSymbol method) => method.ReturnsVoid ? "void" : Of(method.ReturnType);
}
