using CoAP.Formats.Generation.Shapes;
using Microsoft.CodeAnalysis;

namespace CoAP.Formats.Generation.Analysis;

/// <summary>The properties of a type that are written.</summary>
internal static class Properties
{
    /// <summary>Returns the public properties with a getter, those of base classes first.</summary>
    public static IReadOnlyList<IPropertySymbol> Of(INamedTypeSymbol type)
    {
        var chain = new Stack<INamedTypeSymbol>();
        for (var one = type; one is not null && one.SpecialType is SpecialType.None; one = one.BaseType) { chain.Push(one); }
        var places = new Dictionary<string, int>();
        var properties = new List<IPropertySymbol>();
        foreach (var property in chain.SelectMany(one => one.GetMembers().OfType<IPropertySymbol>()).Where(IsWritten))
        {
            if (places.TryGetValue(property.Name, out var place)) { properties[place] = property; }
            else
            {
                places.Add(property.Name, properties.Count);
                properties.Add(property);
            }
        }
        return properties;
    }

    /// <summary>Returns the key of a property.</summary>
    public static MemberKey KeyOf(IPropertySymbol property) => Attributes.Argument(property, Attributes.Key) switch
    {
        int number => new MemberKey(null, number),
        string text => new MemberKey(text, 0),
        _ => new MemberKey(Attributes.Argument(property, Attributes.JsonName) as string ?? property.Name, 0),
    };

    /// <summary>Returns how a property is set, unless a constructor does it.</summary>
    public static MemberRole RoleOf(IPropertySymbol property) => property.SetMethod switch
    {
        not { DeclaredAccessibility: Accessibility.Public } => MemberRole.ReadOnly,
        _ when property.IsRequired => MemberRole.Required,
        { IsInitOnly: true } => MemberRole.Init,
        _ => MemberRole.Settable,
    };

    /// <summary>Reads when a property is left out. Returns <see langword="false"/> if the condition is not supported.</summary>
    public static bool TryReadCondition(IPropertySymbol property, out IgnoreCondition condition)
    {
        condition = Attributes.Has(property, Attributes.Ignore) ? IgnoreCondition.Always : IgnoreCondition.Never;
        if (condition is IgnoreCondition.Always || Attributes.Find(property, Attributes.JsonIgnore) is not { } attribute) { return true; }
        condition = IgnoreCondition.Always;
        foreach (var argument in attribute.NamedArguments.Where(argument => argument.Key == "Condition"))
        {
            condition = argument.Value.Value is int number ? (IgnoreCondition)number : IgnoreCondition.Always;
        }
        return condition is >= IgnoreCondition.Never and <= IgnoreCondition.WhenWritingNull;
    }

    private static bool IsWritten(IPropertySymbol property) => property is
    {
        IsStatic: false,
        IsIndexer: false,
        DeclaredAccessibility: Accessibility.Public,
        GetMethod.DeclaredAccessibility: Accessibility.Public,
    };
}
