using System.Text.Json;
using Spectre.Console;

namespace CoAP.Tool.Printing;

/// <summary>JSON with indentation and colors.</summary>
internal sealed class JsonText(IAnsiConsole console)
{
    private const string Indent = "  ";

    /// <summary>Prints the payload. Returns <see langword="false"/> and prints nothing if it is not JSON.</summary>
    public bool TryPrint(ReadOnlyMemory<byte> payload)
    {
        try
        {
            using var document = JsonDocument.Parse(payload);
            Print(document.RootElement, "");
            console.WriteLine();
            return true;
        }
        catch (JsonException)
        {
            return false;
        }
    }

    private void Print(JsonElement element, string indent)
    {
        switch (element.ValueKind)
        {
            case JsonValueKind.Object:
                PrintItems('{', '}', indent, element.EnumerateObject(), member =>
                {
                    console.Write(new Text(Quote(member.Name), new Style(Color.Blue)));
                    console.Write(": ");
                    Print(member.Value, indent + Indent);
                });
                break;
            case JsonValueKind.Array:
                PrintItems('[', ']', indent, element.EnumerateArray(), item => Print(item, indent + Indent));
                break;
            case JsonValueKind.String: console.Write(new Text(Quote(element.GetString()!), new Style(Color.Green))); break;
            case JsonValueKind.Number: console.Write(new Text(element.GetRawText(), new Style(Color.Teal))); break;
            default: console.Write(new Text(element.GetRawText(), new Style(Color.Purple))); break;
        }
    }

    private void PrintItems<T>(char first, char last, string indent, IEnumerable<T> items, Action<T> print)
    {
        var count = 0;
        console.Write(first.ToString());
        foreach (var item in items)
        {
            console.Write($"{(count++ == 0 ? "" : ",")}\n{indent}{Indent}");
            print(item);
        }
        console.Write(count == 0 ? last.ToString() : $"\n{indent}{last}");
    }

    private static string Quote(string text) => $"\"{Printable.Of(JsonEncodedText.Encode(text, System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping).ToString())}\"";
}
