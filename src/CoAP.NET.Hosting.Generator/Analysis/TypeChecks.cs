using CoAP.Hosting.Generation.Results;
using Microsoft.CodeAnalysis;

namespace CoAP.Hosting.Generation.Analysis;

/// <summary>Questions about the types of handlers.</summary>
internal static class TypeChecks
{
    /// <summary>Returns whether generated code can name all types of a handler and pass all its arguments.</summary>
    public static bool Check(HandlerMethod handler, Compilation compilation, List<Problem> problems)
    {
        var count = problems.Count;
        foreach (var parameter in handler.Method.Parameters)
        {
            if (parameter.RefKind != RefKind.None)
            {
                problems.Add(Problem.At(Rules.ByReference, handler.LocationOf(parameter), parameter.Name, WordOf(parameter.RefKind)));
            }
            CheckType(parameter.Type, handler.LocationOf(parameter), compilation, problems);
        }
        CheckType(handler.Method.ReturnType, handler.Location, compilation, problems);
        return problems.Count == count;
    }

    /// <summary>Returns whether a parameter may be null, by its type.</summary>
    public static bool IsNullable(IParameterSymbol parameter) =>
        IsNullableValue(parameter.Type) || (parameter.Type.IsReferenceType && parameter.NullableAnnotation == NullableAnnotation.Annotated);

    public static bool IsNullableValue(ITypeSymbol type) => type.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T;

    public static ITypeSymbol WithoutNullable(ITypeSymbol type) => IsNullableValue(type) ? ((INamedTypeSymbol)type).TypeArguments[0] : type;

    /// <summary>Returns whether a type has this full name, such as "System.IO.Stream".</summary>
    public static bool Is(ITypeSymbol type, string name) =>
        type.Name == name.Substring(name.LastIndexOf('.') + 1) && $"{type.ContainingNamespace?.ToDisplayString()}.{type.Name}" == name;

    /// <summary>Returns whether a type or one of its bases has this full name.</summary>
    public static bool Derives(ITypeSymbol type, string name)
    {
        for (var level = type; level is not null; level = level.BaseType)
        {
            if (Is(level, name)) { return true; }
        }
        return false;
    }

    /// <summary>Returns the type of the items of an array, or of an interface of the lists that arrays implement.</summary>
    public static ITypeSymbol? ItemOf(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol { Rank: 1 } array => array.ElementType,
        INamedTypeSymbol { TypeKind: TypeKind.Interface, TypeArguments.Length: 1 } list
            when list.Name is "IReadOnlyList" or "IReadOnlyCollection" or "IEnumerable" && IsCollection(list) => list.TypeArguments[0],
        _ => null,
    };

    public static bool IsCollection(ITypeSymbol type) => type.ContainingNamespace?.ToDisplayString() == "System.Collections.Generic";

    private static void CheckType(ITypeSymbol type, Location location, Compilation compilation, List<Problem> problems)
    {
        if (Contains(type, static part => part is ITypeParameterSymbol))
        {
            problems.Add(Problem.At(Rules.OpenGeneric, location, type.ToDisplayString()));
        }
        else if (Contains(type, static part => part.IsAnonymousType))
        {
            problems.Add(Problem.At(Rules.Inaccessible, location, type.ToDisplayString(), "an anonymous type"));
        }
        else if (Contains(type, static part => part is INamedTypeSymbol { IsFileLocal: true }))
        {
            problems.Add(Problem.At(Rules.Inaccessible, location, type.ToDisplayString(), "local to its file"));
        }
        else if (Contains(type, part => part is INamedTypeSymbol && !compilation.IsSymbolAccessibleWithin(part, compilation.Assembly)))
        {
            problems.Add(Problem.At(Rules.Inaccessible, location, type.ToDisplayString(), "private or protected"));
        }
    }

    private static bool Contains(ITypeSymbol type, Func<ITypeSymbol, bool> isMatch) => isMatch(type) || type switch
    {
        IArrayTypeSymbol array => Contains(array.ElementType, isMatch),
        INamedTypeSymbol named => named.TypeArguments.Any(argument => Contains(argument, isMatch))
            || (named.ContainingType is { } outer && Contains(outer, isMatch)),
        _ => false,
    };

    private static string WordOf(RefKind kind) => kind switch { RefKind.Out => "out", RefKind.In => "in", _ => "ref" };
}
