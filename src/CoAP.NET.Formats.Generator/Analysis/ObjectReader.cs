using CoAP.Formats.Generation.Shapes;
using Microsoft.CodeAnalysis;

namespace CoAP.Formats.Generation.Analysis;

/// <summary>Reads the properties and the constructor of one type.</summary>
internal sealed class ObjectReader(ShapeReader shapes, ShapeSet set, ObjectShape shape, INamedTypeSymbol type, Place place)
{
    private readonly Dictionary<string, Member> _members = [];

    /// <summary>Fills the shape. Returns <see langword="false"/> if a problem has been added.</summary>
    public bool Read()
    {
        var before = set.Problems.Count;
        var properties = Properties.Of(type);
        foreach (var property in properties) { ReadProperty(property); }
        CheckKeys(properties);
        if (set.Problems.Count > before) { return false; }
        if (!Constructors.TryChoose(type, properties, out var constructor, out var reason))
        {
            shapes.Fail(place, Rules.NoConstructor, TypeNames.InMessage(type), reason);
            return false;
        }
        if (!ReadArguments(constructor, properties)) { return false; }
        CheckRequired(properties, Attributes.Has(constructor, Attributes.SetsRequiredMembers));
        return set.Problems.Count == before;
    }

    private void ReadProperty(IPropertySymbol property)
    {
        var at = place.At(property);
        if (!Properties.TryReadCondition(property, out var condition))
        {
            shapes.Fail(at, Rules.Condition, at.Subject, "");
            return;
        }
        if (condition is IgnoreCondition.Always) { return; }
        var propertyType = property.Type.IsReferenceType && property.Type.NullableAnnotation is NullableAnnotation.None
            ? property.Type.WithNullableAnnotation(NullableAnnotation.Annotated)
            : property.Type;
        if (shapes.Read(propertyType, at) is not { } values) { return; }
        var member = new Member(property.Name, TypeNames.Escape(property.Name), Properties.KeyOf(property), values)
        {
            Role = Properties.RoleOf(property),
            IsRequired = property.IsRequired || Attributes.Has(property, Attributes.JsonRequired),
            OmitsNull = condition is IgnoreCondition.WhenWritingNull,
            OmitsDefault = condition is IgnoreCondition.WhenWritingDefault,
        };
        _members.Add(property.Name, member);
        shape.Members.Add(member);
    }

    private void CheckKeys(IReadOnlyList<IPropertySymbol> properties)
    {
        var keys = new HashSet<MemberKey>();
        foreach (var property in properties)
        {
            if (_members.TryGetValue(property.Name, out var member) && !keys.Add(member.Key))
            {
                var at = place.At(property);
                shapes.Fail(at, Rules.DuplicateKey, at.Subject, member.Key.Literal);
            }
        }
    }

    private bool ReadArguments(IMethodSymbol constructor, IReadOnlyList<IPropertySymbol> properties)
    {
        foreach (var parameter in constructor.Parameters)
        {
            var property = Constructors.Match(parameter, properties)!;
            var constant = Constructors.DefaultOf(parameter);
            if (!_members.TryGetValue(property.Name, out var member))
            {
                if (constant is null)
                {
                    shapes.Fail(place, Rules.NoConstructor, TypeNames.InMessage(type),
                        $"the parameter {parameter.Name} belongs to a property that is left out, and has no default");
                    return false;
                }
                shape.Arguments.Add(new Argument(null, constant));
                continue;
            }
            shape.Arguments.Add(new Argument(member, ""));
            member.Default = constant ?? member.Default;
            member.IsRequired |= constant is null && !member.IsOmittable;
            // The compiler insists on setting a required property in the initializer too.
            var isSetToo = property.IsRequired && !Attributes.Has(constructor, Attributes.SetsRequiredMembers);
            member.Role = isSetToo ? MemberRole.Required : MemberRole.Argument;
        }
        return true;
    }

    private void CheckRequired(IReadOnlyList<IPropertySymbol> properties, bool areSet)
    {
        foreach (var property in properties)
        {
            var at = place.At(property);
            if (_members.TryGetValue(property.Name, out var member))
            {
                if (member is { IsRequired: true, Role: MemberRole.ReadOnly })
                {
                    shapes.Fail(at, Rules.NoSetter, at.Subject, "it has neither a public setter nor a parameter of the constructor");
                }
            }
            else if (property.IsRequired && !areSet) { shapes.Fail(at, Rules.NoSetter, at.Subject, "it is left out of payloads"); }
        }
        for (var one = type; one is not null && !areSet; one = one.BaseType)
        {
            foreach (var field in one.GetMembers().OfType<IFieldSymbol>().Where(field => field.IsRequired))
            {
                var at = place.At(field);
                shapes.Fail(at, Rules.NoSetter, at.Subject, "it is a field, and fields are not written");
            }
        }
    }
}
