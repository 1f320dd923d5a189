using System.Text;
using CoAP.Formats.Generation.Shapes;
using Microsoft.CodeAnalysis.CSharp;

namespace CoAP.Formats.Generation.Emission;

/// <summary>Generates the method that reads a key and returns the number of the member, or -1.</summary>
internal static class KeyEmitter
{
    public static void Emit(CodeWriter code, ObjectShape shape)
    {
        var keys = shape.Members.Where(member => member.Role is not MemberRole.ReadOnly).Select(member => member.Key).ToList();
        code.Open("private static int FindMember(global::CoAP.Formats.CborReader reader)");
        if (keys.Any(key => key.Text is not null)) { EmitTexts(code, keys); }
        if (keys.Any(key => key.Text is null)) { EmitNumbers(code, keys); }
        code.Line("reader.Skip();");
        code.Line("return -1;");
        code.Close();
    }

    private static void EmitTexts(CodeWriter code, List<MemberKey> keys)
    {
        code.Open("if (reader.Peek() == global::CoAP.Formats.ItemKind.Text)");
        code.Line("var key = reader.ReadUtf8();");
        code.Open("switch (key.Length)");
        var texts = Enumerable.Range(0, keys.Count).Where(i => keys[i].Text is not null);
        foreach (var group in texts.GroupBy(i => Encoding.UTF8.GetByteCount(keys[i].Text!)))
        {
            code.Line($"case {group.Key}:");
            foreach (var i in group)
            {
                var literal = SymbolDisplay.FormatLiteral(keys[i].Text!, quote: true);
                code.Line($"    if (global::System.MemoryExtensions.SequenceEqual(key, {literal}u8)) {{ return {i}; }}");
            }
            code.Line("    return -1;");
        }
        code.Line("default:");
        code.Line("    return -1;");
        code.Close();
        code.Close();
    }

    private static void EmitNumbers(CodeWriter code, List<MemberKey> keys)
    {
        code.Open("if (reader.Peek() == global::CoAP.Formats.ItemKind.Integer)");
        code.Open("switch (reader.ReadInt64())");
        for (var i = 0; i < keys.Count; i++)
        {
            if (keys[i].Text is null) { code.Line($"case {keys[i].Literal}: return {i};"); }
        }
        code.Line("default: return -1;");
        code.Close();
        code.Close();
    }
}
