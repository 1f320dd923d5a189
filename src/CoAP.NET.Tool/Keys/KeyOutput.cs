using System.CommandLine;
using CoAP.Tool.Printing;
using CoAP.Tool.Running;

namespace CoAP.Tool.Keys;

/// <summary>What the key commands print.</summary>
internal static class KeyOutput
{
    public static Option<bool> CreateJsonOption() => new("--json") { Description = "Print one JSON object instead of text." };

    /// <summary>Prints the members as aligned text, or as one JSON object.</summary>
    public static void Write(Terminal terminal, bool isJson, params IReadOnlyList<(string Name, string Value)> members)
    {
        if (isJson)
        {
            terminal.Out.WriteLine(JsonReport.Write(writer =>
            {
                foreach (var (name, value) in members) { writer.WriteString(name, value); }
            }));
            return;
        }
        var width = members.Max(static member => member.Name.Length);
        foreach (var (name, value) in members) { terminal.Out.WriteLine($"{name.PadRight(width)}  {value}"); }
    }
}
