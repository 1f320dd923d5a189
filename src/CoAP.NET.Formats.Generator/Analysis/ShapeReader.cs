using CoAP.Formats.Generation.Shapes;
using Microsoft.CodeAnalysis;

namespace CoAP.Formats.Generation.Analysis;

/// <summary>Finds out how the values of a type, and of all types that it refers to, are written and read.</summary>
internal sealed class ShapeReader(ShapeSet set, INamedTypeSymbol owner, Compilation compilation, CancellationToken cancellationToken)
{
    private readonly Dictionary<string, Shape?> _shapes = [];
    private readonly HashSet<string> _found = [];
    private readonly HashSet<ObjectShape> _open = [];

    /// <summary>Returns the shape of a type, or <see langword="null"/> after a problem has been added.</summary>
    public Shape? Read(ITypeSymbol type, Place place)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (type is INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T } nullable)
        {
            if (ReadPresent(nullable.TypeArguments[0], place) is not { } values) { return null; }
            var shape = new NullShape(values, set.Fields);
            AddFound(type, shape);
            return shape;
        }
        var inner = ReadPresent(type, place);
        var isOptional = type.IsReferenceType && type.NullableAnnotation is NullableAnnotation.Annotated;
        return inner is not null && isOptional ? new NullShape(inner, set.Fields) : inner;
    }

    /// <summary>Adds a problem and returns <see langword="null"/>.</summary>
    public Shape? Fail(Place place, DiagnosticDescriptor rule, string subject, string detail)
    {
        set.Problems.Add(place.Problem(rule, subject, detail));
        return null;
    }

    private Shape? ReadPresent(ITypeSymbol type, Place place)
    {
        var name = TypeNames.InSource(type);
        if (_shapes.TryGetValue(name, out var known))
        {
            if (known is ObjectShape item && _open.Contains(item)) { item.IsRecursive = true; }
            return known;
        }
        if (ScalarForm.Find(name) is { } form) { return _shapes[name] = new ScalarShape(name, type.IsValueType, set.Fields, form); }
        var shape = Create(type, name, place);
        _shapes[name] = shape;
        if (shape is not null) { AddFound(type, shape); }
        return shape;
    }

    private Shape? Create(ITypeSymbol type, string name, Place place)
    {
        switch (type)
        {
            case IArrayTypeSymbol { Rank: 1 } array:
                return Read(array.ElementType, place) is { } item ? Collection(name, "ArrayContract", [item.Type], item.Contract) : null;
            case INamedTypeSymbol { TypeKind: TypeKind.Error }:
                return null;
            case INamedTypeSymbol named when Collections.Find(named) is { } collection:
                return CreateCollection(named, name, collection, place);
            case INamedTypeSymbol named when !compilation.IsSymbolAccessibleWithin(named, owner)
                || TypeChecks.IsLocalToFile(named, cancellationToken):
                return Fail(place, Rules.Inaccessible, TypeNames.InMessage(type), owner.Name);
            case INamedTypeSymbol { TypeKind: TypeKind.Enum } named:
                return EnumReader.Read(named, name, set);
            case INamedTypeSymbol named when TypeChecks.Check(named, place) is { } problem:
                set.Problems.Add(problem);
                return null;
            case INamedTypeSymbol named:
                return CreateObject(named, name, place);
            default:
                return Fail(place, Rules.Unsupported, place.Subject, $"{TypeNames.InMessage(type)} has no contract");
        }
    }

    private ObjectShape? CreateObject(INamedTypeSymbol type, string name, Place place)
    {
        var shape = new ObjectShape(name, type.IsValueType, type.Name, set.NewClassName(type.Name));
        _shapes[name] = shape;
        _open.Add(shape);
        var isValid = new ObjectReader(this, set, shape, type, place).Read();
        _open.Remove(shape);
        if (isValid) { set.Objects.Add(shape); }
        return isValid ? shape : null;
    }

    private Shape? CreateCollection(INamedTypeSymbol type, string name, CollectionForm form, Place place)
    {
        var types = new List<string>();
        var contracts = new List<string>();
        foreach (var argument in type.TypeArguments)
        {
            if (Read(argument, place) is not { } shape) { return null; }
            types.Add(shape.Type);
            contracts.Add(shape.Contract);
        }
        if (form.HasKeys && !Collections.IsKey(type.TypeArguments[0]))
        {
            return Fail(place, Rules.Unsupported, place.Subject,
                "the keys of dictionaries and the items of sets must be texts, integers or GUIDs, and "
                + $"{TypeNames.InMessage(type.TypeArguments[0])} is none of them");
        }
        if (form.NamesItself) { types.Insert(0, name); }
        return Collection(name, form.Contract, types, string.Join(", ", contracts));
    }

    private CollectionShape Collection(string name, string contract, IReadOnlyList<string> types, string arguments) =>
        new(name, set.Fields.Of(name, $"new global::CoAP.Formats.Contracts.{contract}<{string.Join(", ", types)}>({arguments})"));

    // List<string?> and List<string> are the same type at run time: the first one is found.
    private void AddFound(ITypeSymbol type, Shape shape)
    {
        if (_found.Add(TypeNames.AtRunTime(type))) { set.Found.Add(new(TypeNames.AtRunTime(type), shape.Contract)); }
    }
}
