namespace CoAP.Formats.Generation.Shapes;

/// <summary>All that one partial class needs.</summary>
internal sealed class ShapeSet
{
    private readonly HashSet<string> _classNames = [];

    /// <summary>The fields.</summary>
    public ContractFields Fields { get; } = new();

    /// <summary>The objects.</summary>
    public List<ObjectShape> Objects { get; } = [];

    /// <summary>The enums with names.</summary>
    public List<NamedEnumShape> NamedEnums { get; } = [];

    /// <summary>The types that can be found, and their contracts.</summary>
    public List<KeyValuePair<string, string>> Found { get; } = [];

    /// <summary>What is wrong.</summary>
    public List<Problem> Problems { get; } = [];

    /// <summary>Returns a name for a generated class that no other one has.</summary>
    public string NewClassName(string typeName)
    {
        var name = $"{typeName}Contract";
        for (var number = 2; !_classNames.Add(name); number++) { name = $"{typeName}Contract{number}"; }
        return name;
    }
}
