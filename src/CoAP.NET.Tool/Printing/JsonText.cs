using System.Text.Json;
using Spectre.Console;

namespace CoAP.Tool.Printing;

/// <summary>JSON with indentation and colors.</summary>
internal sealed class JsonText(IAnsiConsole console)
{
    private const string Indent = "  ";

    // Collected first: a payload that turns out to be something else is printed in another form.
    private readonly List<(string Text, Color? Color)> _pieces = [];

    /// <summary>Prints the payload. Returns <see langword="false"/> and prints nothing if it is not JSON.</summary>
    public bool TryPrint(ReadOnlyMemory<byte> payload)
    {
        try
        {
            using var document = JsonDocument.Parse(payload);
            _pieces.Clear();
            Print(document.RootElement, "");
        }
        // JSON can name half of a surrogate pair, which is no text.
        catch (Exception exception) when (exception is JsonException or InvalidOperationException)
        {
            return false;
        }
        foreach (var (text, color) in _pieces) { console.Write(new Text(text, new Style(color))); }
        console.WriteLine();
        return true;
    }

    private void Print(JsonElement element, string indent)
    {
        switch (element.ValueKind)
        {
            case JsonValueKind.Object:
                PrintItems('{', '}', indent, element.EnumerateObject(), member =>
                {
                    Write(Quote(member.Name), Color.Blue);
                    Write(": ");
                    Print(member.Value, indent + Indent);
                });
                break;
            case JsonValueKind.Array:
                PrintItems('[', ']', indent, element.EnumerateArray(), item => Print(item, indent + Indent));
                break;
            case JsonValueKind.String: Write(Quote(element.GetString()!), Color.Green); break;
            case JsonValueKind.Number: Write(element.GetRawText(), Color.Teal); break;
            default: Write(element.GetRawText(), Color.Purple); break;
        }
    }

    private void PrintItems<T>(char first, char last, string indent, IEnumerable<T> items, Action<T> print)
    {
        var count = 0;
        Write(first.ToString());
        foreach (var item in items)
        {
            Write($"{(count++ == 0 ? "" : ",")}\n{indent}{Indent}");
            print(item);
        }
        Write(count == 0 ? last.ToString() : $"\n{indent}{last}");
    }

    private void Write(string text, Color? color = null) => _pieces.Add((text, color));

    private static string Quote(string text) => $"\"{Printable.Of(JsonEncodedText.Encode(text, System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping).ToString())}\"";
}
