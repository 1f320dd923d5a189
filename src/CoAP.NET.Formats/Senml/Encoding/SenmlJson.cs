using System.Buffers;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace CoAP.Formats;

/// <summary>Writes and reads SenML in JSON (RFC 8428, section 5). <see cref="SenmlJsonFormat"/> is the format for requests and responses.</summary>
public static class SenmlJson
{
    internal static readonly JsonWriterOptions WriterOptions = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping, SkipValidation = true };

    /// <summary>Writes a pack.</summary>
    /// <param name="output">Receives the JSON text in UTF-8.</param>
    /// <param name="pack">The pack.</param>
    /// <param name="settings">The rules for names; <see langword="null"/> for the default ones.</param>
    /// <exception cref="ArgumentException">The pack has no record, or a record breaks a rule of RFC 8428.</exception>
    public static void Write(IBufferWriter<byte> output, SenmlPack pack, SenmlSettings? settings = null)
    {
        ArgumentNullException.ThrowIfNull(output);
        SenmlChecks.Check(pack, settings);
        using var writer = new Utf8JsonWriter(output, WriterOptions);
        writer.WriteStartArray();
        for (var i = 0; i < pack.Count; i++) { SenmlJsonRecords.Write(writer, pack[i]); }
        writer.WriteEndArray();
    }

    /// <summary>Returns a pack as JSON text in UTF-8.</summary>
    /// <inheritdoc cref="Write" path="/exception"/>
    public static byte[] ToBytes(SenmlPack pack, SenmlSettings? settings = null)
    {
        var output = new ArrayBufferWriter<byte>();
        Write(output, pack, settings);
        return output.WrittenSpan.ToArray();
    }

    /// <summary>Reads a pack.</summary>
    /// <param name="payload">The JSON text in UTF-8.</param>
    /// <param name="limits">The bounds of what the payload may cost; <see langword="null"/> for the default ones.</param>
    /// <param name="settings">The bounds and rules of SenML; <see langword="null"/> for the default ones.</param>
    /// <exception cref="CoapPayloadException">The payload is not a valid pack, or exceeds a limit.</exception>
    public static SenmlPack Read(ReadOnlyMemory<byte> payload, PayloadLimits? limits = null, SenmlSettings? settings = null)
    {
        limits ??= PayloadLimits.Default;
        limits.CheckSize(payload.Length);
        var mark = ByteOrderMark.LengthIn(payload.Span);
        var json = payload.Span[mark..];
        SenmlJsonRecords.CheckUtf8(json, start: mark);
        var builder = new SenmlRecordBuilder(limits, settings ?? SenmlSettings.Default) { Start = mark };
        var reader = new Utf8JsonReader(json, new JsonReaderOptions { MaxDepth = limits.MaxDepth });
        try { return ReadPack(ref reader, builder); }
        catch (JsonException exception) { throw SenmlJsonRecords.Malformed(exception, mark + reader.BytesConsumed); }
        catch (InvalidOperationException exception) { throw SenmlJsonRecords.BadText(exception, mark + reader.TokenStartIndex); }
    }

    private static SenmlPack ReadPack(ref Utf8JsonReader reader, SenmlRecordBuilder builder)
    {
        reader.Read();
        if (reader.TokenType != JsonTokenType.StartArray)
        {
            var found = SenmlJsonRecords.Describe(reader.TokenType);
            throw new CoapPayloadException($"The payload is {found}; an array of records is required (at byte 0).", 0);
        }
        var pack = new SenmlPack();
        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
        {
            builder.Begin(reader.TokenStartIndex);
            pack.Add(SenmlJsonRecords.Read(ref reader, builder));
        }
        var end = builder.Start + reader.TokenStartIndex;
        reader.Read();
        return pack.Count > 0 ? pack : throw SenmlChecks.Empty(end);
    }
}
