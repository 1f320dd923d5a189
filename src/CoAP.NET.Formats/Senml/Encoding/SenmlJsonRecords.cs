using System.Buffers;
using System.Buffers.Text;
using System.Text;
using System.Text.Json;
using System.Text.Unicode;

namespace CoAP.Formats;

/// <summary>Writes and reads single records in JSON.</summary>
internal static class SenmlJsonRecords
{
    // The longest form of a double is -2.2250738585072014e-308.
    private const int MaxNumberLength = 32;

    private static readonly JsonEncodedText[] Names =
        [.. Enumerable.Range(0, SenmlLabels.Count).Select(label => JsonEncodedText.Encode(SenmlLabels.NameOf((SenmlLabel)label)))];

    public static void Write(Utf8JsonWriter writer, SenmlRecord record)
    {
        writer.WriteStartObject();
        for (var label = SenmlLabel.BaseName; label < SenmlLabel.Unknown; label++)
        {
            if (record.ValueOf(label) is not { } value) { continue; }
            writer.WritePropertyName(Names[(int)label]);
            WriteValue(writer, value);
        }
        foreach (var extension in record.Extensions)
        {
            writer.WritePropertyName(extension.Label);
            WriteValue(writer, extension.Value);
        }
        writer.WriteEndObject();
    }

    /// <summary>Reads a record. The current token is its start.</summary>
    public static SenmlRecord Read(ref Utf8JsonReader reader, SenmlRecordBuilder builder)
    {
        if (reader.TokenType != JsonTokenType.StartObject)
        {
            throw builder.Error($"it is {Describe(reader.TokenType)}; an object is required", reader.TokenStartIndex);
        }
        while (reader.Read() && reader.TokenType != JsonTokenType.EndObject)
        {
            var offset = reader.TokenStartIndex;
            var label = reader.ValueIsEscaped
                ? builder.Accept(Encoding.UTF8.GetBytes(reader.GetString()!), offset)
                : builder.Accept(reader.ValueSpan, offset);
            reader.Read();
            if (label != SenmlLabel.Unknown) { ReadField(ref reader, builder, label); }
            else if (builder.WantsExtension) { ReadExtension(ref reader, builder); }
            else { reader.Skip(); }
        }
        return builder.End();
    }

    /// <summary>Checks that all of a text is UTF-8, also what is ignored later, because the reader of the runtime does not.</summary>
    public static void CheckUtf8(ReadOnlySpan<byte> text, long start)
    {
        if (Utf8.IsValid(text)) { return; }
        var offset = start;
        for (var rest = text; Rune.DecodeFromUtf8(rest, out _, out var length) == OperationStatus.Done; rest = rest[length..]) { offset += length; }
        throw new CoapPayloadException($"The JSON text is not valid UTF-8 (at byte {offset}).", offset);
    }

    /// <summary>Returns a kind of token as it is named in error messages.</summary>
    public static string Describe(JsonTokenType token) => token switch
    {
        JsonTokenType.StartObject => "an object",
        JsonTokenType.StartArray => "an array",
        JsonTokenType.String => "a text",
        JsonTokenType.Number => "a number",
        JsonTokenType.True or JsonTokenType.False => "a Boolean value",
        _ => "null",
    };

    public static CoapPayloadException Malformed(JsonException exception, long offset)
    {
        var end = exception.Message.IndexOf(" LineNumber", StringComparison.Ordinal);
        var reason = end > 0 ? exception.Message[..end].TrimEnd('.') : exception.Message;
        return new CoapPayloadException($"The JSON text is malformed: {reason} (at byte {offset}).", offset);
    }

    public static CoapPayloadException BadText(InvalidOperationException exception, long offset) =>
        new($"A text is not valid Unicode (at byte {offset}).", offset, exception);

    private static void ReadField(ref Utf8JsonReader reader, SenmlRecordBuilder builder, SenmlLabel label)
    {
        var offset = reader.TokenStartIndex;
        switch (SenmlLabels.KindOf(label), reader.TokenType)
        {
            case (SenmlValueKind.Number, JsonTokenType.Number):
                builder.Set(label, reader.GetDouble(), offset);
                break;
            case (SenmlValueKind.Text, JsonTokenType.String):
                builder.CheckLength(label, reader.ValueSpan.Length, offset);
                builder.Set(label, reader.GetString()!);
                break;
            case (SenmlValueKind.Boolean, JsonTokenType.True or JsonTokenType.False):
                builder.Set(reader.GetBoolean());
                break;
            case (SenmlValueKind.Data, JsonTokenType.String):
                builder.CheckLength(label, reader.ValueSpan.Length, offset);
                builder.Set(SenmlBase64.Decode(reader.ValueIsEscaped ? Encoding.UTF8.GetBytes(reader.GetString()!) : reader.ValueSpan)
                    ?? throw builder.Error("field 'vd' is not base64url without padding (RFC 8428, section 5)", offset));
                break;
            default:
                throw builder.WrongType(label, Describe(reader.TokenType), offset);
        }
    }

    private static void ReadExtension(ref Utf8JsonReader reader, SenmlRecordBuilder builder)
    {
        switch (reader.TokenType)
        {
            case JsonTokenType.Number:
                builder.SetExtension(reader.GetDouble());
                break;
            case JsonTokenType.String when builder.IsWithinLimit(reader.ValueSpan.Length):
                builder.SetExtension(reader.GetString()!);
                break;
            case JsonTokenType.True or JsonTokenType.False:
                builder.SetExtension(reader.GetBoolean());
                break;
            default:
                reader.Skip();
                break;
        }
    }

    private static void WriteValue(Utf8JsonWriter writer, SenmlValue value)
    {
        switch (value.Kind)
        {
            case SenmlValueKind.Number: WriteNumber(writer, value.Number); break;
            case SenmlValueKind.Text: writer.WriteStringValue(value.Text); break;
            case SenmlValueKind.Boolean: writer.WriteBooleanValue(value.Boolean); break;
            default: writer.WriteStringValue(Base64Url.EncodeToString(value.Data.Span)); break;
        }
    }

    // Utf8JsonWriter writes the exponent with an upper-case E, which RFC 8428, section 5 forbids.
    private static void WriteNumber(Utf8JsonWriter writer, double value)
    {
        Span<byte> digits = stackalloc byte[MaxNumberLength];
        value.TryFormat(digits, out var length, default, System.Globalization.CultureInfo.InvariantCulture);
        digits = digits[..length];
        if (digits.IndexOf((byte)'E') is >= 0 and var exponent) { digits[exponent] = (byte)'e'; }
        writer.WriteRawValue(digits, skipInputValidation: true);
    }
}
