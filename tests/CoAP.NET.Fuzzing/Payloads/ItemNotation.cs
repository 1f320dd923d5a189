using CoAP.Formats;
using CoAP.Fuzzing.Oracles;

namespace CoAP.Fuzzing.Payloads;

/// <summary>Writes CBOR as the text that <see cref="CborNotation"/> makes of it, by our reader.</summary>
internal static class ItemNotation
{
    /// <exception cref="CoapPayloadException">The payload is not exactly one item.</exception>
    public static string Of(CborReader reader, byte[] payload)
    {
        var text = Item(reader, payload);
        reader.ReadEnd();
        return text;
    }

    private static string Item(CborReader reader, byte[] payload)
    {
        switch (reader.Peek())
        {
            case ItemKind.Null: return reader.TryReadNull() ? "null " : throw new CoapPayloadException("A null cannot be read as null.");
            case ItemKind.Boolean: return reader.ReadBoolean() ? "true " : "false ";
            case ItemKind.Integer: return Integer(reader, payload.AsSpan((int)reader.Offset));
            case ItemKind.Float: return CborNotation.Float(reader.ReadDouble()) + " ";
            case ItemKind.Text: return $"\"{reader.ReadText()}\" ";
            case ItemKind.Bytes: return $"h'{Convert.ToHexString(reader.ReadBytes())}' ";
            case ItemKind.Array: return Items(reader, payload, reader.ReadArrayStart(), isMap: false);
            case ItemKind.Map: return Items(reader, payload, reader.ReadMapStart(), isMap: true);
            case ItemKind.Timestamp: return Skip(reader, "time ");
            case ItemKind.Tagged: return Skip(reader, "tagged ");
            case ItemKind.Simple: return Skip(reader, "simple ");
            default: throw reader.Error("An item is missing");
        }
    }

    private static string Items(CborReader reader, byte[] payload, int? announced, bool isMap)
    {
        var (text, count) = (new List<string>(), 0);
        for (; reader.MoveNext(); count++)
        {
            text.Add(Item(reader, payload));
            if (isMap) { text.Add(Item(reader, payload)); }
        }
        Engine.FuzzFailure.ThrowIf(announced is { } most && most != count, $"{announced} items were announced, and {count} came");
        return (isMap ? "{" : "[") + string.Concat(text) + (isMap ? "} " : "] ");
    }

    // An integer below -2^63 can only be skipped.
    private static string Integer(CborReader reader, ReadOnlySpan<byte> rest)
    {
        if (rest[0] < 0x20) { return reader.ReadUInt64().ToString(CultureInfo.InvariantCulture) + " "; }
        return rest is [0x3B, >= 0x80, ..] ? Skip(reader, "low ") : reader.ReadInt64().ToString(CultureInfo.InvariantCulture) + " ";
    }

    private static string Skip(CborReader reader, string text)
    {
        reader.Skip();
        return text;
    }
}
