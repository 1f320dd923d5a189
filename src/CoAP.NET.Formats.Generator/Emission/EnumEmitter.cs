using CoAP.Formats.Generation.Shapes;
using Microsoft.CodeAnalysis.CSharp;

namespace CoAP.Formats.Generation.Emission;

/// <summary>Generates the contract of an enum that is written as names.</summary>
internal static class EnumEmitter
{
    public static void Emit(CodeWriter code, NamedEnumShape shape)
    {
        var form = ScalarForm.Find(shape.Underlying)!;
        code.Open($"private sealed class {shape.ClassName} : global::CoAP.Formats.PayloadContract<{shape.Type}>");
        code.Line($"internal static readonly {shape.ClassName} Instance = new {shape.ClassName}();");
        code.Line();
        code.Open($"public override void Write(global::CoAP.Formats.CborWriter writer, {shape.Type} value)");
        code.Open("switch (value)");
        foreach (var name in shape.Names.Where(name => name.IsFirstOfValue))
        {
            code.Line($"case {shape.Type}.{name.Member}: writer.WriteUtf8({Quote(name.Name)}u8); break;");
        }
        code.Line($"default: {form.Write.Replace("$", $"({shape.Underlying})value")} break;");
        code.Close();
        code.Close();
        code.Line();
        code.Open($"public override {shape.Type} Read(global::CoAP.Formats.CborReader reader)");
        code.Line($"if (reader.Peek() == global::CoAP.Formats.ItemKind.Integer) {{ return ({shape.Type}){form.Read}; }}");
        code.Line("var offset = reader.Offset;");
        code.Line("var name = reader.ReadText();");
        code.Open("switch (name)");
        foreach (var name in shape.Names) { code.Line($"case {Quote(name.Name)}: return {shape.Type}.{name.Member};"); }
        code.Line($"default: throw global::CoAP.Formats.Contracts.ContractErrors.UnknownName({Quote(shape.Name)}, name, offset);");
        code.Close();
        code.Close();
        code.Close();
    }

    private static string Quote(string text) => SymbolDisplay.FormatLiteral(text, quote: true);
}
