using System.Formats.Cbor;
using System.Text;

namespace CoAP.Fuzzing.Oracles;

/// <summary>Writes CBOR as a text, by the decoder of ASP.NET Core's shared framework. Tagged items are not looked into.</summary>
internal static class CborNotation
{
    /// <summary>Returns the text of a payload that is well-formed.</summary>
    public static string Of(byte[] payload)
    {
        // The tag that says "this is CBOR" is not part of the value (RFC 8949, section 3.4.6).
        var start = payload is [0xD9, 0xD9, 0xF7, ..] ? 3 : 0;
        var (reader, text) = (new CborReader(payload.AsMemory(start), CborConformanceMode.Lax), new StringBuilder());
        do { Append(reader, text); }
        while (reader.CurrentDepth > 0);
        return text.ToString();
    }

    private static void Append(CborReader reader, StringBuilder text)
    {
        switch (reader.PeekState())
        {
            case CborReaderState.StartArray:
                _ = reader.ReadStartArray();
                text.Append('[');
                break;
            case CborReaderState.StartMap:
                _ = reader.ReadStartMap();
                text.Append('{');
                break;
            case CborReaderState.EndArray:
                reader.ReadEndArray();
                text.Append("] ");
                break;
            case CborReaderState.EndMap:
                reader.ReadEndMap();
                text.Append("} ");
                break;
            default: text.Append(Leaf(reader)).Append(' '); break;
        }
    }

    private static string Leaf(CborReader reader)
    {
        switch (reader.PeekState())
        {
            case CborReaderState.UnsignedInteger: return reader.ReadUInt64().ToString(CultureInfo.InvariantCulture);
            case CborReaderState.NegativeInteger: return Negative(reader.ReadCborNegativeIntegerRepresentation());
            case CborReaderState.Boolean: return reader.ReadBoolean() ? "true" : "false";
            case CborReaderState.Null: return Skip(reader, "null");
            case CborReaderState.TextString or CborReaderState.StartIndefiniteLengthTextString: return $"\"{reader.ReadTextString()}\"";
            case CborReaderState.ByteString or CborReaderState.StartIndefiniteLengthByteString:
                return $"h'{Convert.ToHexString(reader.ReadByteString())}'";
            case CborReaderState.HalfPrecisionFloat or CborReaderState.SinglePrecisionFloat or CborReaderState.DoublePrecisionFloat:
                return Float(reader.ReadDouble());
            case CborReaderState.Tag: return Skip(reader, reader.PeekTag() is CborTag.DateTimeString or CborTag.UnixTimeSeconds ? "time" : "tagged");
            default: return reader.ReadEncodedValue().Span is [0xF7] ? "null" : "simple"; // ItemKind has one kind for null and undefined.
        }
    }

    /// <summary>Returns the text of a float. All that are not a number are alike.</summary>
    public static string Float(double value) => $"f{value.ToString("R", CultureInfo.InvariantCulture)}";

    /// <summary>Returns the text of the integer -1 - n.</summary>
    public static string Negative(ulong n) => n <= long.MaxValue ? (-1 - (long)n).ToString(CultureInfo.InvariantCulture) : "low";

    private static string Skip(CborReader reader, string text)
    {
        reader.SkipValue(disableConformanceModeChecks: true);
        return text;
    }
}
