namespace CoAP.Formats.Generation.Shapes;

/// <summary>A type with a generic contract of the library, which a field holds: arrays, lists, sets, dictionaries.</summary>
internal sealed class CollectionShape(string type, string contract) : Shape(type, isValue: false)
{
    public override string Contract { get; } = contract;
}
