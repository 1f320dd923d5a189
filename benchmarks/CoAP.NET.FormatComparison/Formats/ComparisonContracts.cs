using CoAP.FormatComparison.Model;

namespace CoAP.FormatComparison.Formats;

/// <summary>The contracts for CBOR: two written by hand, and those of the package.</summary>
internal sealed class ComparisonContracts : PayloadContracts
{
    private readonly DatumContract _datum = new();
    private readonly IntTreeContract _tree = new();

    public override PayloadContract<T>? Find<T>() => _datum as PayloadContract<T> ?? _tree as PayloadContract<T> ?? Builtin.Find<T>();

    public override bool Handles(Type type) => type == typeof(Datum) || type == typeof(IntTree) || Builtin.Handles(type);
}
