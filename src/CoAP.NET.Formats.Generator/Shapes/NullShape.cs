namespace CoAP.Formats.Generation.Shapes;

/// <summary>A value that may be null.</summary>
internal sealed class NullShape(Shape inner, ContractFields fields) : Shape(inner.Type + "?", isValue: false)
{
    /// <summary>The shape of the values.</summary>
    public Shape Inner { get; } = inner;

    public override string Contract => fields.Of(
        Type, $"new global::CoAP.Formats.Contracts.{(Inner.IsValue ? "NullableContract" : "OptionalContract")}<{Inner.Type}>({Inner.Contract})");

    public override string Read => $"reader.TryReadNull() ? null : {(Inner.IsValue ? $"({Type})" : "")}{Inner.Read}";
}
