using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace CoAP.Tests.Architecture;

/// <summary>The files that somebody has to read to know the state of one type.</summary>
/// <remarks>
/// A file counts if it declares the type or a part of it; if it has an extension member of the type that uses a field or property which only
/// the assembly sees; or if it declares an object that the type holds in a field and that refers back to it.
/// </remarks>
internal sealed class TypeState
{
    private static readonly SymbolEqualityComparer Same = SymbolEqualityComparer.Default;

    private readonly Dictionary<INamedTypeSymbol, HashSet<string>> _files = new(Same);

    public TypeState(SourceProject project)
    {
        foreach (var tree in project.Trees.Values)
        {
            var model = project.Compilation.GetSemanticModel(tree);
            foreach (var declaration in tree.GetRoot().DescendantNodes().OfType<MemberDeclarationSyntax>())
            {
                if (declaration is BaseTypeDeclarationSyntax) { AddType((INamedTypeSymbol)model.GetDeclaredSymbol(declaration)!); }
                else if (declaration is MethodDeclarationSyntax or PropertyDeclarationSyntax) { AddExtension(declaration, tree.FilePath, model); }
            }
        }
    }

    /// <summary>The types of which several files hold the state, those with the most files first.</summary>
    public IEnumerable<(string Type, IReadOnlyList<string> Files)> Spread() => _files.Where(static one => one.Value.Count > 1)
        .Select(static one => (NameOf(one.Key), (IReadOnlyList<string>)[.. one.Value.Order(StringComparer.Ordinal)]))
        .OrderByDescending(static one => one.Item2.Count).ThenBy(static one => one.Item1, StringComparer.Ordinal);

    private void AddType(INamedTypeSymbol type)
    {
        if (type is not { IsStatic: false, IsExtension: false, TypeKind: TypeKind.Class or TypeKind.Struct }) { return; }
        var parts = HeldBy(type).Where(part => !Same.Equals(part, type) && HeldBy(part).Contains(type, Same));
        FilesOf(type).UnionWith(parts.Append(type).SelectMany(Declarations));
    }

    private void AddExtension(MemberDeclarationSyntax member, string file, SemanticModel model)
    {
        if (ReceiverOf(model.GetDeclaredSymbol(member))?.OriginalDefinition is not INamedTypeSymbol type || !Declarations(type).Any()) { return; }
        var uses = member.DescendantNodes().OfType<SimpleNameSyntax>().Select(name => model.GetSymbolInfo(name).Symbol);
        if (uses.Any(used => IsStateOf(type, used) && !IsVisible(used))) { FilesOf(type).Add(file); }
    }

    private HashSet<string> FilesOf(INamedTypeSymbol type) => _files.TryGetValue(type, out var files) ? files : _files[type] = [];

    private static string NameOf(INamedTypeSymbol type) => type.ToDisplayString(SymbolDisplayFormat.CSharpShortErrorMessageFormat);

    // The parameter of the extension block, or the first parameter of a method with "this".
    private static ITypeSymbol? ReceiverOf(ISymbol? member) => member switch
    {
        { ContainingType: { IsExtension: true, ExtensionParameter.Type: var receiver } } => receiver,
        IMethodSymbol { IsExtensionMethod: true, Parameters: [{ Type: var receiver }, ..] } => receiver,
        _ => null,
    };

    private static bool IsStateOf(INamedTypeSymbol type, ISymbol? used) =>
        used is IFieldSymbol or IPropertySymbol && Same.Equals(used.ContainingType?.OriginalDefinition, type);

    private static bool IsVisible(ISymbol? symbol) => symbol is null or INamespaceSymbol
        || (symbol.DeclaredAccessibility is Accessibility.Public or Accessibility.Protected or Accessibility.ProtectedOrInternal
            && IsVisible(symbol.ContainingType));

    private static IEnumerable<string> Declarations(INamedTypeSymbol type) =>
        type.DeclaringSyntaxReferences.Select(static one => one.SyntaxTree.FilePath).Where(static file => file.Length > 0);

    // The types of the fields, and of the parameters of a primary constructor, which are fields if members use them.
    private static IEnumerable<INamedTypeSymbol> HeldBy(INamedTypeSymbol type) => type.GetMembers().OfType<IFieldSymbol>()
        .Where(static field => !field.IsStatic).Select(static field => field.Type)
        .Concat(type.InstanceConstructors.Where(IsPrimary).SelectMany(static one => one.Parameters).Select(static parameter => parameter.Type))
        .Select(static held => held.OriginalDefinition).OfType<INamedTypeSymbol>();

    private static bool IsPrimary(IMethodSymbol constructor) =>
        constructor.DeclaringSyntaxReferences.Any(static one => one.GetSyntax() is TypeDeclarationSyntax { ParameterList: not null });
}
