using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace CoAP.Formats.Generation.Analysis;

/// <summary>Decides whether a type can be written as a map of its properties.</summary>
internal static class TypeChecks
{
    /// <summary>Returns the problem with a type, or <see langword="null"/> if there is none.</summary>
    public static Problem? Check(INamedTypeSymbol type, Place place)
    {
        var name = TypeNames.InMessage(type);
        if (type.TypeKind is not (TypeKind.Class or TypeKind.Struct or TypeKind.Interface) || type.IsRefLikeType)
        {
            return Unsupported(place, $"{name} is neither a class, a struct nor an enum");
        }
        if (type.SpecialType is SpecialType.System_Object) { return Unsupported(place, "object can be of any type"); }
        if (type.IsTupleType) { return Unsupported(place, "the names in tuples are not known at run time; use a record"); }
        if (Polymorphism(type) is { } attribute) { return place.Problem(Rules.Polymorphic, name, attribute); }
        if (IsOfRuntime(type)) { return Unsupported(place, $"{name} has no contract"); }
        if (type.AllInterfaces.Any(one => one.SpecialType is SpecialType.System_Collections_IEnumerable))
        {
            return Unsupported(place, $"{name} is a collection; use an array, List, HashSet or Dictionary");
        }
        return type.IsAbstract ? place.Problem(Rules.Abstract, name, type.TypeKind is TypeKind.Interface ? "an interface" : "abstract") : null;
    }

    /// <summary>Returns whether a type can be used in its own file only, and so not in generated files.</summary>
    public static bool IsLocalToFile(INamedTypeSymbol type, CancellationToken cancellationToken) => type.DeclaringSyntaxReferences
        .Select(reference => reference.GetSyntax(cancellationToken))
        .OfType<MemberDeclarationSyntax>()
        .Any(declaration => declaration.Modifiers.Any(modifier => modifier.Text == "file"));

    private static Problem Unsupported(Place place, string reason) => place.Problem(Rules.Unsupported, place.Subject, reason);

    private static string? Polymorphism(INamedTypeSymbol type) =>
        Attributes.Has(type, Attributes.JsonDerivedType) ? "JsonDerivedType"
        : Attributes.Has(type, Attributes.JsonPolymorphic) ? "JsonPolymorphic" : null;

    private static bool IsOfRuntime(INamedTypeSymbol type)
    {
        var space = type.ContainingNamespace;
        if (space is null) { return false; }
        while (space.ContainingNamespace is { IsGlobalNamespace: false } outer) { space = outer; }
        return space.Name == "System";
    }
}
