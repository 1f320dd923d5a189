using System.Globalization;
using System.Text.Json;
using CoAP.Formats;
using CoAP.Tool.Printing;

namespace CoAP.Tool.Observing;

/// <summary>Finds the numbers in a payload: in text, JSON, CBOR and SenML.</summary>
internal static class PayloadNumbers
{
    private const int MaxNumbers = 20;
    private const int MaxDepth = 8;
    private const string OnlyName = "value";

    /// <summary>Returns the first numbers of the payload, at most 20. Empty if there are none, or the payload is malformed.</summary>
    public static IReadOnlyList<NamedNumber> Find(uint? format, ReadOnlyMemory<byte> payload)
    {
        var numbers = new List<NamedNumber>();
        if (SenmlTable.TryRead(format, payload) is { } measurements) { AddMeasurements(numbers, measurements); }
        else if (PayloadPrinter.IsJson(format)) { AddJson(numbers, payload); }
        else if (PayloadPrinter.IsCbor(format)) { AddCbor(numbers, payload); }
        else if (PayloadPrinter.TryDecode(payload.Span) is { } text) { AddText(numbers, text); }
        return numbers;
    }

    private static void AddMeasurements(List<NamedNumber> numbers, IReadOnlyList<SenmlMeasurement> measurements)
    {
        foreach (var one in measurements)
        {
            var value = one.Value is { Kind: SenmlValueKind.Number } number ? number.Number : one.Sum;
            if (value is { } found) { Add(numbers, one.Name, found, one.Unit); }
        }
    }

    private static void AddJson(List<NamedNumber> numbers, ReadOnlyMemory<byte> payload)
    {
        try
        {
            using var document = JsonDocument.Parse(payload);
            AddJson(numbers, "", document.RootElement, 0);
        }
        catch (Exception exception) when (exception is JsonException or InvalidOperationException)
        {
            numbers.Clear();
        }
    }

    private static void AddJson(List<NamedNumber> numbers, string path, JsonElement element, int depth)
    {
        if (depth > MaxDepth || numbers.Count >= MaxNumbers) { return; }
        switch (element.ValueKind)
        {
            case JsonValueKind.Number when element.TryGetDouble(out var value):
                Add(numbers, path, value);
                break;
            case JsonValueKind.Object:
                foreach (var member in element.EnumerateObject()) { AddJson(numbers, Join(path, member.Name), member.Value, depth + 1); }
                break;
            case JsonValueKind.Array:
                foreach (var (index, item) in element.EnumerateArray().Take(MaxNumbers).Index()) { AddJson(numbers, Join(path, $"{index}"), item, depth + 1); }
                break;
            default:
                break;
        }
    }

    private static void AddCbor(List<NamedNumber> numbers, ReadOnlyMemory<byte> payload)
    {
        try
        {
            AddCbor(numbers, "", new CborReader(payload), 0);
        }
        catch (CoapPayloadException)
        {
            numbers.Clear();
        }
    }

    private static void AddCbor(List<NamedNumber> numbers, string path, CborReader reader, int depth)
    {
        var kind = depth > MaxDepth ? ItemKind.Null : reader.Peek();
        switch (kind)
        {
            case ItemKind.Integer or ItemKind.Float:
                Add(numbers, path, reader.ReadDouble());
                break;
            case ItemKind.Map:
                reader.ReadMapStart();
                while (reader.MoveNext()) { AddCbor(numbers, Join(path, ReadKey(reader)), reader, depth + 1); }
                break;
            case ItemKind.Array:
                reader.ReadArrayStart();
                for (var index = 0; reader.MoveNext(); index++) { AddCbor(numbers, Join(path, $"{index}"), reader, depth + 1); }
                break;
            default:
                reader.Skip();
                break;
        }
    }

    private static string ReadKey(CborReader reader)
    {
        switch (reader.Peek())
        {
            case ItemKind.Text: return reader.ReadText();
            case ItemKind.Integer: return reader.ReadInt64().ToString(CultureInfo.InvariantCulture);
            default:
                reader.Skip();
                return "?";
        }
    }

    // "21.5", and "21.5 °C" with a unit.
    private static void AddText(List<NamedNumber> numbers, string text)
    {
        var words = text.Split(' ', 2, StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
        if (words.Length > 0 && double.TryParse(words[0], NumberStyles.Float, CultureInfo.InvariantCulture, out var value))
        {
            Add(numbers, OnlyName, value, words.Length > 1 ? words[1] : null);
        }
    }

    private static void Add(List<NamedNumber> numbers, string name, double value, string? unit = null)
    {
        if (numbers.Count < MaxNumbers) { numbers.Add(new(name.Length == 0 ? OnlyName : name, value, unit)); }
    }

    private static string Join(string path, string name) => path.Length == 0 ? name : $"{path}/{name}";
}
