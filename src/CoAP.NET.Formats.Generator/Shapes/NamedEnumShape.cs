namespace CoAP.Formats.Generation.Shapes;

/// <summary>An enum that is written as the names of its members.</summary>
internal sealed class NamedEnumShape(string type, string name, string className, string underlying, IReadOnlyList<EnumName> names)
    : Shape(type, isValue: true)
{
    /// <summary>The name of the type in error messages.</summary>
    public string Name { get; } = name;

    /// <summary>The name of the generated class.</summary>
    public string ClassName { get; } = className;

    /// <summary>The underlying type.</summary>
    public string Underlying { get; } = underlying;

    /// <summary>The names. Of several members with the same value, the first one is written.</summary>
    public IReadOnlyList<EnumName> Names { get; } = names;

    public override string Contract => $"{ClassName}.Instance";
}
