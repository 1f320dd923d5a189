using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Unicode;
using CoAP.Options;

namespace CoAP.Tool.Printing;

/// <summary>A response as one line of JSON, for scripts.</summary>
internal static class JsonReport
{
    // Readable in every language, but a text must not turn the terminal's line around.
    private static readonly JsonWriterOptions Settings = new() { Encoder = JavaScriptEncoder.Create(Readable()) };

    /// <summary>Returns a response with code, options and payload: as JSON if it is JSON, as text if it is UTF-8, otherwise in Base64.</summary>
    /// <param name="response">The response.</param>
    /// <param name="add">Adds members before the payload. Default: none.</param>
    public static string Of(CoapResponse response, Action<Utf8JsonWriter>? add = null) => Write(writer =>
    {
        writer.WriteString("code", response.Code.ToString());
        writer.WriteString("name", CodeName.Of(response.Code));
        writer.WriteString("from", response.Remote.ToString());
        writer.WriteNumber("milliseconds", Math.Round(response.RoundTripTime.TotalMilliseconds, 3));
        add?.Invoke(writer);
        WriteOptions(writer, response);
        WritePayload(writer, response);
    });

    /// <summary>Returns an object on one line.</summary>
    public static string Write(Action<Utf8JsonWriter> write)
    {
        using var buffer = new MemoryStream();
        using (var writer = new Utf8JsonWriter(buffer, Settings))
        {
            writer.WriteStartObject();
            write(writer);
            writer.WriteEndObject();
        }
        return Encoding.UTF8.GetString(buffer.ToArray());
    }

    private static TextEncoderSettings Readable()
    {
        var settings = new TextEncoderSettings(UnicodeRanges.All);
        settings.ForbidRange(UnicodeRange.Create('\u200B', '\u200F'));
        settings.ForbidRange(UnicodeRange.Create('\u202A', '\u202E'));
        settings.ForbidRange(UnicodeRange.Create('\u2060', '\u2069'));
        settings.ForbidCharacters('\u061C', '\uFEFF');
        return settings;
    }

    private static void WriteOptions(Utf8JsonWriter writer, CoapResponse response)
    {
        writer.WriteStartArray("options");
        foreach (var option in response.Options)
        {
            writer.WriteStartObject();
            writer.WriteNumber("number", option.Number);
            writer.WriteString("name", OptionText.NameOf(option, response.Code));
            switch (option)
            {
                case UIntOption number: writer.WriteNumber("value", number.Value); break;
                case StringOption text: writer.WriteString("value", text.Value); break;
                case OpaqueOption bytes: writer.WriteString("value", Convert.ToHexStringLower(bytes.Value.Span)); break;
                default: break;
            }
            writer.WriteEndObject();
        }
        writer.WriteEndArray();
    }

    private static void WritePayload(Utf8JsonWriter writer, CoapResponse response)
    {
        if (response.ContentFormat is { } format) { writer.WriteString("contentFormat", FormatName.Of(format)); }
        if (response.Payload.IsEmpty) { return; }
        if (PayloadPrinter.IsJson(response.ContentFormat) && TryRewrite(response.Payload) is { } json)
        {
            writer.WritePropertyName("payload");
            writer.WriteRawValue(json, skipInputValidation: true);
        }
        else if (PayloadPrinter.TryDecode(response.Payload.Span) is { } text) { writer.WriteString("payload", text); }
        else { writer.WriteBase64String("payloadBase64", response.Payload.Span); }
    }

    private static byte[]? TryRewrite(ReadOnlyMemory<byte> payload)
    {
        try
        {
            using var document = JsonDocument.Parse(payload);
            using var buffer = new MemoryStream();
            using (var writer = new Utf8JsonWriter(buffer, Settings)) { document.RootElement.WriteTo(writer); }
            return buffer.ToArray();
        }
        // JSON can name half of a surrogate pair, which is no text.
        catch (Exception exception) when (exception is JsonException or InvalidOperationException)
        {
            return null;
        }
    }
}
