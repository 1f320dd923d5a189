namespace CoAP.Formats.Generation.Shapes;

/// <summary>A class, struct or record: a map of its members.</summary>
internal sealed class ObjectShape(string type, bool isValue, string name, string className) : Shape(type, isValue)
{
    /// <summary>The name of the type in error messages.</summary>
    public string Name { get; } = name;

    /// <summary>The name of the generated class.</summary>
    public string ClassName { get; } = className;

    /// <summary>The members in the order in which they are written.</summary>
    public List<Member> Members { get; } = [];

    /// <summary>The arguments of the constructor, in order.</summary>
    public List<Argument> Arguments { get; } = [];

    /// <summary>Whether objects of this type may contain objects of this type.</summary>
    public bool IsRecursive { get; set; }

    public override string Contract => $"{ClassName}.Instance";
}
