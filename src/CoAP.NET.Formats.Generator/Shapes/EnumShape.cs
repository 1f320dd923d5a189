namespace CoAP.Formats.Generation.Shapes;

/// <summary>An enum that is written as a number.</summary>
internal sealed class EnumShape(string type, string underlying, ContractFields fields) : Shape(type, isValue: true)
{
    private readonly ScalarForm _form = ScalarForm.Find(underlying)!;

    public override string Contract => fields.Of(Type, $"new global::CoAP.Formats.Contracts.EnumContract<{Type}>()");

    public override string Read => $"({Type}){_form.Read}";

    public override string Write(string value) => _form.Write.Replace("$", $"({underlying}){value}");
}
