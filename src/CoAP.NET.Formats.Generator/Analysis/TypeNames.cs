using Microsoft.CodeAnalysis;

namespace CoAP.Formats.Generation.Analysis;

/// <summary>Types in source and in messages.</summary>
internal static class TypeNames
{
    private static readonly SymbolDisplayFormat Full = SymbolDisplayFormat.FullyQualifiedFormat.AddMiscellaneousOptions(
        SymbolDisplayMiscellaneousOptions.IncludeNullableReferenceTypeModifier);

    /// <summary>Returns a type with "global::" and the annotations of its type arguments, but without its own.</summary>
    public static string InSource(ITypeSymbol type) => type.WithNullableAnnotation(NullableAnnotation.NotAnnotated).ToDisplayString(Full);

    /// <summary>Returns a type without any annotations: equal for types that are the same at run time.</summary>
    public static string AtRunTime(ITypeSymbol type) => type.WithNullableAnnotation(NullableAnnotation.NotAnnotated)
        .ToDisplayString(SymbolDisplayFormat.FullyQualifiedFormat);

    /// <summary>Returns a short name for messages.</summary>
    public static string InMessage(ITypeSymbol type) => type.WithNullableAnnotation(NullableAnnotation.NotAnnotated)
        .ToDisplayString(SymbolDisplayFormat.MinimallyQualifiedFormat);

    /// <summary>Returns a name with "@" if it is a keyword.</summary>
    public static string Escape(string name) =>
        Microsoft.CodeAnalysis.CSharp.SyntaxFacts.GetKeywordKind(name) != Microsoft.CodeAnalysis.CSharp.SyntaxKind.None ? "@" + name : name;
}
