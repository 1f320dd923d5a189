namespace CoAP.Formats.Generation.Shapes;

/// <summary>A type of the runtime that is one item, written without a contract.</summary>
internal sealed class ScalarShape(string type, bool isValue, ContractFields fields, ScalarForm form) : Shape(type, isValue)
{
    public override string Contract => fields.Of(Type, $"global::CoAP.Formats.PayloadContracts.Builtin.Find<{Type}>()!");

    public override string Read => form.Read;

    public override string Write(string value) => form.Write.Replace("$", value);
}
