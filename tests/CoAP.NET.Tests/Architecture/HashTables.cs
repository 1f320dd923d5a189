using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace CoAP.Tests.Architecture;

/// <summary>The tables of a project whose hash codes a peer may foresee.</summary>
/// <remarks>
/// A table is what the framework creates with a comparer, or could: dictionaries, sets, and what groups or compares a sequence by keys.
/// It is safe if it has a <see cref="SeededComparer{T}"/>, or if its keys are texts, types with a seeded hash code, or objects without
/// equality of their own.
/// </remarks>
internal static class HashTables
{
    private const string Comparer = "IEqualityComparer";

    // What they create or return has a table, or they build one to compare. Other methods with a comparer only compare.
    private static readonly string[] Sources =
    [
        "Enumerable", "AsyncEnumerable", "ParallelEnumerable", "Queryable",
        "FrozenDictionary", "FrozenSet", "ImmutableDictionary", "ImmutableHashSet",
    ];

    private static readonly string[] Comparing = ["SequenceEqual", "SequenceEqualAsync", "Contains", "ContainsAsync"];

    // They have keys of any type, and no comparer.
    private static readonly string[] WithoutComparer = ["Hashtable", "MemoryCache", "HybridDictionary", "ListDictionary"];

    /// <summary>Returns the unsafe tables as "Type.Member: Key", each once.</summary>
    public static IReadOnlyList<string> UnsafeOf(SourceProject project) =>
    [
        .. project.Trees.Values.SelectMany(tree => UnsafeIn(tree, project.Compilation.GetSemanticModel(tree)))
            .Distinct().Order(StringComparer.Ordinal),
    ];

    private static IEnumerable<string> UnsafeIn(SyntaxTree tree, SemanticModel model) =>
        from node in tree.GetRoot().DescendantNodes()
        let key = KeyOf(node, model)
        where key is not null && !IsSafe(key) && !HasSeededComparer(node, model)
        select $"{PlaceOf(node)}: {key.ToDisplayString(SymbolDisplayFormat.CSharpShortErrorMessageFormat)}";

    // The type that the comparer of a table compares; null if the node creates no table.
    private static ITypeSymbol? KeyOf(SyntaxNode node, SemanticModel model) => node switch
    {
        BaseObjectCreationExpressionSyntax => KeyOf(model.GetTypeInfo(node).Type as INamedTypeSymbol),
        CollectionExpressionSyntax => KeyOf(model.GetTypeInfo(node).ConvertedType as INamedTypeSymbol),
        InvocationExpressionSyntax => model.GetSymbolInfo(node).Symbol is IMethodSymbol method ? KeyOf(method) : null,
        _ => null,
    };

    private static ITypeSymbol? KeyOf(INamedTypeSymbol? type)
    {
        if (type is null || !IsOfFramework(type)) { return null; }
        if (WithoutComparer.Contains(type.Name)) { return type.BaseType; }
        return Compared(type.InstanceConstructors);
    }

    // A method without a comparer is unsafe if there is another one of the same name that takes one.
    private static ITypeSymbol? KeyOf(IMethodSymbol method)
    {
        if (!IsOfFramework(method.ContainingType) || !Sources.Contains(method.ContainingType.Name)) { return null; }
        if (Comparing.Contains(method.Name)) { return null; }
        var all = (method.ReducedFrom ?? method).ContainingType.GetMembers(method.Name).OfType<IMethodSymbol>();
        var definition = (method.ReducedFrom ?? method).OriginalDefinition;
        return Compared(all
            .Where(one => one.TypeParameters.Length == definition.TypeParameters.Length)
            .Where(one => one.Parameters.Length >= definition.Parameters.Length)
            .Select(one => one.TypeParameters.IsEmpty ? one : one.Construct([.. method.TypeArguments])));
    }

    // What the first comparer compares that one of the methods takes.
    private static ITypeSymbol? Compared(IEnumerable<IMethodSymbol> methods) => methods.SelectMany(static one => one.Parameters)
        .Select(static one => one.Type is INamedTypeSymbol { Name: Comparer, TypeArguments: [var compared] } ? compared : null)
        .FirstOrDefault(static one => one is not null);

    private static bool IsOfFramework(INamedTypeSymbol type) =>
        type.ContainingNamespace?.ToDisplayString() is { } name && (name == "System" || name.StartsWith("System.", StringComparison.Ordinal)
            || name.StartsWith("Microsoft.", StringComparison.Ordinal));

    private static bool IsSafe(ITypeSymbol key) =>
        key.SpecialType is SpecialType.System_String or SpecialType.System_Boolean or SpecialType.System_Byte
        || key is { Name: nameof(Type), ContainingNamespace.Name: nameof(System) }
        || key.AllInterfaces.Any(static one => one.Name == nameof(ISeededKey))
        || (key is INamedTypeSymbol { TypeKind: TypeKind.Class, SpecialType: not SpecialType.System_Object } && HasNoEquality(key));

    private static bool HasNoEquality(ITypeSymbol type)
    {
        for (var one = type; one is not null && one.SpecialType != SpecialType.System_Object; one = one.BaseType)
        {
            if (one.TypeKind is TypeKind.Error || one.IsRecord) { return false; }
            if (one.GetMembers(nameof(GetHashCode)).Any(static member => member.IsOverride)) { return false; }
        }
        return true;
    }

    private static bool HasSeededComparer(SyntaxNode node, SemanticModel model) => node.ChildNodes().OfType<ArgumentListSyntax>()
        .SelectMany(static list => list.Arguments)
        .Any(argument => model.GetTypeInfo(argument.Expression).Type?.Name == nameof(SeededComparer<>));

    private static string PlaceOf(SyntaxNode node)
    {
        var member = node.Ancestors().Select(static one => one switch
        {
            VariableDeclaratorSyntax { Parent.Parent: FieldDeclarationSyntax } field => field.Identifier.Text,
            MethodDeclarationSyntax method => method.Identifier.Text,
            PropertyDeclarationSyntax property => property.Identifier.Text,
            ConstructorDeclarationSyntax => "new",
            _ => null,
        }).FirstOrDefault(static name => name is not null);
        var type = node.Ancestors().OfType<TypeDeclarationSyntax>().LastOrDefault()?.Identifier.Text
            ?? Path.GetFileNameWithoutExtension(node.SyntaxTree.FilePath);
        return $"{type}.{member ?? "new"}";
    }
}
