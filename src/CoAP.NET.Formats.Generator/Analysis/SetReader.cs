using System.Collections.Immutable;
using CoAP.Formats.Generation.Emission;
using CoAP.Formats.Generation.Shapes;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace CoAP.Formats.Generation.Analysis;

/// <summary>Reads the attributes of one partial class and generates its source.</summary>
internal static class SetReader
{
    private const string BaseClass = "CoAP.Formats.PayloadContracts";

    /// <summary>Returns the source, or <see langword="null"/> if another part of the class leads to it.</summary>
    public static GeneratedSet? Read(GeneratorAttributeSyntaxContext context, CancellationToken cancellationToken)
    {
        var type = (INamedTypeSymbol)context.TargetSymbol;
        var attributes = type.GetAttributes().Where(IsContract).ToArray();
        if (!IsFirst(attributes, context.TargetNode)) { return null; }
        var hintName = $"{type.ToDisplayString()}.g.cs";
        var problems = CheckClass(type, (ClassDeclarationSyntax)context.TargetNode, cancellationToken);
        if (problems.Count > 0) { return new GeneratedSet(hintName, null, new(problems.ToImmutableArray())); }
        var set = new ShapeSet();
        var shapes = new ShapeReader(set, type, context.SemanticModel.Compilation, cancellationToken);
        foreach (var attribute in attributes) { ReadRoot(shapes, set, attribute, cancellationToken); }
        // With an error in one type, the class still compiles, so that the error is the only one.
        var source = SetEmitter.Emit(type, set.Problems.Count == 0 ? set : new ShapeSet());
        return new GeneratedSet(hintName, source, new(set.Problems.ToImmutableArray()));
    }

    private static bool IsContract(AttributeData attribute) => attribute.AttributeClass?.ToDisplayString() == Attributes.Contract;

    private static bool IsFirst(AttributeData[] attributes, SyntaxNode node) =>
        attributes.Length > 0 && attributes[0].ApplicationSyntaxReference is { } first
        && first.SyntaxTree == node.SyntaxTree && node.Span.Contains(first.Span);

    private static void ReadRoot(ShapeReader shapes, ShapeSet set, AttributeData attribute, CancellationToken cancellationToken)
    {
        if (attribute.ConstructorArguments is not { Length: 1 } arguments || arguments[0].Value is not ITypeSymbol root) { return; }
        var name = TypeNames.InMessage(root);
        var location = Attributes.Place(attribute, cancellationToken);
        var place = new Place(name, location, location);
        if (root is INamedTypeSymbol { IsUnboundGenericType: true }) { set.Problems.Add(place.Problem(Rules.OpenGeneric, name)); }
        else { shapes.Read(root, place); }
    }

    private static List<Problem> CheckClass(INamedTypeSymbol type, ClassDeclarationSyntax node, CancellationToken cancellationToken)
    {
        var problems = new List<Problem>();
        var location = node.Identifier.GetLocation();
        for (var outer = type; outer is not null; outer = outer.ContainingType)
        {
            if (!IsPartial(outer, cancellationToken)) { problems.Add(Problem.At(Rules.NotPartial, location, outer.Name)); }
            if (outer.IsGenericType) { problems.Add(Problem.At(Rules.WrongPlace, location, outer.Name, "has type parameters")); }
        }
        if (type.IsAbstract || type.IsStatic) { problems.Add(Problem.At(Rules.WrongPlace, location, type.Name, "is abstract or static")); }
        if (TypeChecks.IsLocalToFile(type, cancellationToken))
        {
            problems.Add(Problem.At(Rules.WrongPlace, location, type.Name, "is local to its file"));
        }
        var ancestor = type.BaseType;
        while (ancestor is not null && ancestor.ToDisplayString() != BaseClass) { ancestor = ancestor.BaseType; }
        if (ancestor is null) { problems.Add(Problem.At(Rules.WrongBase, location, type.Name)); }
        return problems;
    }

    private static bool IsPartial(INamedTypeSymbol type, CancellationToken cancellationToken) => type.DeclaringSyntaxReferences
        .Select(reference => reference.GetSyntax(cancellationToken))
        .OfType<TypeDeclarationSyntax>()
        .All(declaration => declaration.Modifiers.Any(SyntaxKind.PartialKeyword));
}
