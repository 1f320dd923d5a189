using CoAP.Formats.Generation.Shapes;
using Microsoft.CodeAnalysis;

namespace CoAP.Formats.Generation.Analysis;

/// <summary>Finds out how the values of an enum are written.</summary>
internal static class EnumReader
{
    public static Shape Read(INamedTypeSymbol type, string name, ShapeSet set)
    {
        var underlying = TypeNames.InSource(type.EnumUnderlyingType!);
        if (!HasNames(type)) { return new EnumShape(name, underlying, set.Fields); }
        var values = new HashSet<object>();
        var names = new HashSet<string>();
        var members = new List<EnumName>();
        foreach (var field in type.GetMembers().OfType<IFieldSymbol>().Where(field => field.HasConstantValue))
        {
            var text = Attributes.Argument(field, Attributes.JsonMemberName) as string ?? field.Name;
            if (names.Add(text)) { members.Add(new EnumName(TypeNames.Escape(field.Name), text, values.Add(field.ConstantValue!))); }
        }
        var shape = new NamedEnumShape(name, type.Name, set.NewClassName(type.Name), underlying, members);
        set.NamedEnums.Add(shape);
        return shape;
    }

    private static bool HasNames(INamedTypeSymbol type) => Attributes.Has(type, Attributes.Names)
        || Attributes.Argument(type, Attributes.JsonConverter) is INamedTypeSymbol { Name: "JsonStringEnumConverter" };
}
