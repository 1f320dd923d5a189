namespace CoAP.Formats.Generation.Shapes;

/// <summary>The static fields that hold contracts of the library, in the order in which they must be initialized.</summary>
internal sealed class ContractFields
{
    private readonly Dictionary<string, string> _names = [];

    /// <summary>The declarations.</summary>
    public List<string> Declarations { get; } = [];

    /// <summary>Returns the name of the field for a type. Fields that the expression uses exist already.</summary>
    public string Of(string type, string expression)
    {
        if (!_names.TryGetValue(type, out var name))
        {
            name = $"Contract{_names.Count}";
            _names.Add(type, name);
            Declarations.Add($"internal static readonly global::CoAP.Formats.PayloadContract<{type}> {name} = {expression};");
        }
        return name;
    }
}
