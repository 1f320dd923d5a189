using System.Globalization;
using System.Numerics;
using System.Text;
using System.Text.Json;

namespace CoAP.Formats.Tests;

/// <summary>Writes CBOR in the diagnostic notation of RFC 8949, section 8, by the public methods of the reader.</summary>
internal static class CborText
{
    internal static string Of(byte[] document, PayloadLimits? limits = null)
    {
        var reader = new CborReader(document, limits);
        var text = new StringBuilder();
        Append(reader, text);
        reader.ReadEnd();
        return text.ToString();
    }

    internal static string OfDouble(double value) => value switch
    {
        double.PositiveInfinity => "Infinity",
        double.NegativeInfinity => "-Infinity",
        _ when double.IsNaN(value) => "NaN",
        _ when value == Math.Floor(value) && Math.Abs(value) < 1e15 => value.ToString("0.0", CultureInfo.InvariantCulture),
        _ => value.ToString("R", CultureInfo.InvariantCulture),
    };

    internal static string OfText(string value) => JsonSerializer.Serialize(value);

    internal static string OfBytes(byte[] value) => $"h'{Convert.ToHexStringLower(value)}'";

    private static void Append(CborReader reader, StringBuilder text)
    {
        switch (reader.Peek())
        {
            case ItemKind.Null: text.Append(reader.TryReadUndefined() ? "undefined" : reader.TryReadNull() ? "null" : "?"); break;
            case ItemKind.Boolean: text.Append(reader.ReadBoolean() ? "true" : "false"); break;
            case ItemKind.Integer: text.Append(reader.ReadBigInteger()); break;
            case ItemKind.Float: text.Append(OfDouble(reader.ReadDouble())); break;
            case ItemKind.Text: text.Append(OfText(reader.ReadText())); break;
            case ItemKind.Bytes: text.Append(OfBytes(reader.ReadBytes())); break;
            case ItemKind.Simple: text.Append(CultureInfo.InvariantCulture, $"simple({reader.ReadSimple()})"); break;
            case ItemKind.Array: AppendArray(reader, text); break;
            case ItemKind.Map: AppendMap(reader, text); break;
            case ItemKind.Timestamp or ItemKind.Tagged: AppendTagged(reader, text); break;
            default: throw reader.Error("The document ends");
        }
    }

    private static void AppendArray(CborReader reader, StringBuilder text)
    {
        text.Append(reader.ReadArrayStart() is null ? "[_ " : "[");
        for (var separator = ""; reader.MoveNext(); separator = ", ")
        {
            text.Append(separator);
            Append(reader, text);
        }
        text.Append(']');
    }

    private static void AppendMap(CborReader reader, StringBuilder text)
    {
        text.Append(reader.ReadMapStart() is null ? "{_ " : "{");
        for (var separator = ""; reader.MoveNext(); separator = ", ")
        {
            text.Append(separator);
            Append(reader, text);
            text.Append(": ");
            Append(reader, text);
        }
        text.Append('}');
    }

    private static void AppendTagged(CborReader reader, StringBuilder text)
    {
        var tag = reader.ReadTag();
        if (tag is 2 or 3 && reader.Peek() == ItemKind.Bytes)
        {
            var magnitude = new BigInteger(reader.ReadBytes(), isUnsigned: true, isBigEndian: true);
            text.Append(tag == 2 ? magnitude : -BigInteger.One - magnitude);
            return;
        }
        text.Append(CultureInfo.InvariantCulture, $"{tag}(");
        Append(reader, text);
        text.Append(')');
    }
}
