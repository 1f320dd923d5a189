using CoAP.Formats.Generation.Shapes;
using Microsoft.CodeAnalysis.CSharp;

namespace CoAP.Formats.Generation.Emission;

/// <summary>Generates the method that reads an object.</summary>
internal static class ObjectReadEmitter
{
    private const string Errors = "global::CoAP.Formats.Contracts.ContractErrors.";
    private const int BitsOfWord = 64;

    public static void Emit(CodeWriter code, ObjectShape shape)
    {
        var readable = shape.Members.Where(member => member.Role is not MemberRole.ReadOnly).ToList();
        code.Open($"public override {shape.Type} Read(global::CoAP.Formats.CborReader reader)");
        for (var i = 0; i < readable.Count; i++) { code.Line($"{readable[i].Shape.Type} m{i} = {readable[i].Default};"); }
        for (var word = 0; word * BitsOfWord < readable.Count; word++) { code.Line($"ulong seen{word} = 0;"); }
        code.Line("string? member = null;");
        code.Open("try");
        EmitLoop(code, readable);
        EmitMissing(code, readable);
        code.Close();
        code.Open($"catch (global::CoAP.CoapPayloadException error) when ({Errors}IsBare(error))");
        code.Line($"throw {Errors}At({Quote(shape.Name)}, member, error);");
        code.Close();
        EmitCreation(code, shape, readable);
        code.Close();
    }

    private static void EmitLoop(CodeWriter code, List<Member> readable)
    {
        code.Line("reader.ReadMapStart();");
        code.Open("while (reader.MoveNext())");
        code.Line("member = null;");
        code.Open("switch (FindMember(reader))");
        for (var i = 0; i < readable.Count; i++)
        {
            code.Line($"case {i}:");
            code.Line($"    member = {Quote(readable[i].Name)};");
            code.Line($"    if ({IsSeen(i)}) {{ throw {Errors}Duplicate(reader, {Quote(readable[i].Key.Literal)}); }}");
            code.Line($"    seen{i / BitsOfWord} |= {Bit(i)};");
            code.Line($"    m{i} = {readable[i].Shape.Read};");
            code.Line("    break;");
        }
        code.Line("default:");
        code.Line("    reader.Skip();");
        code.Line("    break;");
        code.Close();
        code.Close();
        code.Line("member = null;");
    }

    private static void EmitMissing(CodeWriter code, List<Member> readable)
    {
        for (var i = 0; i < readable.Count; i++)
        {
            if (readable[i].IsRequired) { code.Line($"if (!({IsSeen(i)})) {{ throw {Errors}Missing(reader, {Quote(readable[i].Key.Literal)}); }}"); }
        }
    }

    private static void EmitCreation(CodeWriter code, ObjectShape shape, List<Member> readable)
    {
        var arguments = string.Join(", ", shape.Arguments.Select(argument =>
            argument.Member is { } member ? $"m{readable.IndexOf(member)}" : argument.Constant));
        var required = Having(readable, MemberRole.Required).Select(i => $"{readable[i].Access} = m{i}").ToList();
        var init = Having(readable, MemberRole.Init).ToList();
        var creation = $"new {shape.Type}({arguments})";
        if (init.Count == 0) { code.Line($"var result = {creation}{Initializer(required)};"); }
        else
        {
            code.Line($"{shape.Type} result;");
            code.Open($"if ({string.Join(" && ", init.Select(IsSeen))})");
            code.Line($"result = {creation}{Initializer(required.Concat(init.Select(i => $"{readable[i].Access} = m{i}")))};");
            code.Close();
            // A property that is not in the map keeps the value that the type gives it.
            code.Open("else");
            code.Line($"var initial = {creation}{Initializer(required)};");
            var kept = init.Select(i => $"{readable[i].Access} = {IsSeen(i)} ? m{i} : initial.{readable[i].Access}");
            code.Line($"result = {creation}{Initializer(required.Concat(kept))};");
            code.Close();
        }
        foreach (var i in Having(readable, MemberRole.Settable)) { code.Line($"if ({IsSeen(i)}) {{ result.{readable[i].Access} = m{i}; }}"); }
        code.Line("return result;");
    }

    private static IEnumerable<int> Having(List<Member> members, MemberRole role) =>
        Enumerable.Range(0, members.Count).Where(i => members[i].Role == role);

    private static string Initializer(IEnumerable<string> assignments)
    {
        var all = string.Join(", ", assignments);
        return all.Length > 0 ? $" {{ {all} }}" : "";
    }

    private static string IsSeen(int index) => $"(seen{index / BitsOfWord} & {Bit(index)}) != 0";

    private static string Bit(int index) => $"0x{1UL << (index % BitsOfWord):X}UL";

    private static string Quote(string text) => SymbolDisplay.FormatLiteral(text, quote: true);
}
