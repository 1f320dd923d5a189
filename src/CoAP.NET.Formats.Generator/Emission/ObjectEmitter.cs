using System.Globalization;
using CoAP.Formats.Generation.Shapes;
using Microsoft.CodeAnalysis.CSharp;

namespace CoAP.Formats.Generation.Emission;

/// <summary>Generates the contract of an object.</summary>
internal static class ObjectEmitter
{
    private const string Formats = "global::CoAP.Formats.";

    public static void Emit(CodeWriter code, ObjectShape shape)
    {
        code.Open($"private sealed class {shape.ClassName} : {Formats}PayloadContract<{shape.Type}>");
        code.Line($"internal static readonly {shape.ClassName} Instance = new {shape.ClassName}();");
        code.Line();
        EmitWrite(code, shape);
        code.Line();
        ObjectReadEmitter.Emit(code, shape);
        code.Line();
        KeyEmitter.Emit(code, shape);
        code.Close();
    }

    private static void EmitWrite(CodeWriter code, ObjectShape shape)
    {
        code.Open($"public override void Write({Formats}CborWriter writer, {shape.Type} value)");
        if (!shape.IsValue) { code.Line("global::System.ArgumentNullException.ThrowIfNull(value);"); }
        // An object that contains itself would end the process otherwise.
        if (shape.IsRecursive)
        {
            var text = $"The {shape.Name} has more levels than fit on the stack; perhaps it contains itself.";
            var message = SymbolDisplay.FormatLiteral(text, quote: true);
            code.Open("if (!global::System.Runtime.CompilerServices.RuntimeHelpers.TryEnsureSufficientExecutionStack())");
            code.Line($"throw new global::System.InsufficientExecutionStackException({message});");
            code.Close();
        }
        var count = EmitCount(code, shape);
        code.Line($"writer.WriteMapStart({count});");
        for (var i = 0; i < shape.Members.Count; i++) { EmitMember(code, shape, shape.Members[i], i); }
        code.Close();
    }

    private static string EmitCount(CodeWriter code, ObjectShape shape)
    {
        if (!shape.Members.Any(member => member.IsOmittable)) { return shape.Members.Count.ToString(CultureInfo.InvariantCulture); }
        code.Line($"var count = {shape.Members.Count};");
        for (var i = 0; i < shape.Members.Count; i++)
        {
            var member = shape.Members[i];
            if (!member.IsOmittable) { continue; }
            code.Line($"var v{i} = value.{member.Access};");
            code.Line($"if ({(member.OmitsDefault ? IsDefault(member, i) : $"v{i} is null")}) {{ count--; }}");
        }
        return "count";
    }

    private static void EmitMember(CodeWriter code, ObjectShape shape, Member member, int index)
    {
        var key = member.Key.Text is { } text
            ? $"writer.WriteUtf8({SymbolDisplay.FormatLiteral(text, quote: true)}u8);"
            : $"writer.WriteInt64({member.Key.Literal});";
        var path = SymbolDisplay.FormatLiteral($"{shape.Name}.{member.Name}", quote: true);
        if (!member.IsOmittable)
        {
            code.Line(key);
            EmitValue(code, member.Shape, $"value.{member.Access}", path, index);
            return;
        }
        code.Open(member.OmitsDefault ? $"if (!{IsDefault(member, index)})" : $"if (v{index} is not null)");
        code.Line(key);
        EmitValue(code, member.Shape, $"v{index}", path, index);
        code.Close();
    }

    private static void EmitValue(CodeWriter code, Shape shape, string value, string path, int index)
    {
        if (shape is NullShape optional)
        {
            code.Line($"if ({value} is {{ }} n{index}) {{ {optional.Inner.Write($"n{index}")} }}");
            code.Line("else { writer.WriteNull(); }");
            return;
        }
        code.Line(shape.Write(shape.IsValue ? value : $"{Formats}Contracts.ContractErrors.NotNull({value}, {path})"));
    }

    private static string IsDefault(Member member, int index) =>
        $"global::System.Collections.Generic.EqualityComparer<{member.Shape.Type}>.Default.Equals(v{index}, default!)";
}
