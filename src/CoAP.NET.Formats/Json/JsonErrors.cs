using System.Diagnostics.CodeAnalysis;
using System.Text.Json;

namespace CoAP.Formats;

/// <summary>Turns the exceptions of System.Text.Json into payload errors, with the path in the JSON and without the names of .NET types.</summary>
internal static class JsonErrors
{
    private const int LongestPath = 120;

    // "... doesn't allow null values", "... setting null values", "... getting null values"
    private const string NoNull = "doesn't allow ";

    private const string Loop = "; perhaps it contains itself";

    /// <summary>Whether the payload caused an exception. Constructors and setters of the types may refuse values as well.</summary>
    public static bool IsOfPayload(Exception exception) =>
        exception is JsonException or NotSupportedException or InvalidOperationException or ArgumentException or FormatException or OverflowException;

    /// <summary>Creates the error for an exception.</summary>
    public static CoapPayloadException Convert(Exception exception, ReadOnlySpan<byte> payload, int maxDepth, long origin)
    {
        if (TryFindSyntaxError(payload, maxDepth, out var syntax)) { return Create(Trim(syntax.Message), syntax, payload, origin, exception); }
        if (exception is not JsonException json)
        {
            return new CoapPayloadException($"The JSON cannot be converted to the expected type (at byte {origin}).", origin, exception);
        }
        var path = json.Path is { Length: > 0 } known ? Shorten(known) : "$";
        return Create(Describe(json.Message, path), json, payload, origin, exception);
    }

    /// <summary>Describes why a value cannot be written. Returns <see langword="false"/> if the exception is not the fault of the value.</summary>
    /// <param name="exception">The exception.</param>
    /// <param name="depth">The depth at which the writer has stopped.</param>
    /// <param name="what">What is wrong with the value.</param>
    public static bool TryDescribe(Exception exception, int depth, [NotNullWhen(true)] out string? what)
    {
        var (message, path) = (exception.Message, (exception as JsonException)?.Path ?? "a member");
        what = exception switch
        {
            InvalidOperationException when depth >= JsonFormat.MostLevels => $"it has {depth} levels or more{Loop}",
            JsonException when message.Contains("object cycle", StringComparison.Ordinal) => $"it has {depth} levels or more{Loop}",
            JsonException when message.Contains(NoNull, StringComparison.Ordinal) => $"{path} is null, but its type does not allow null",
            ArgumentException when message.Contains("AllowNamedFloatingPointLiterals", StringComparison.Ordinal) =>
                "it contains a number that is infinite or not a number, which JSON does not have. "
                + "Make the member nullable, or set JsonNumberHandling.AllowNamedFloatingPointLiterals in the context",
            _ => null,
        };
        return what is not null;
    }

    /// <summary>Removes the position and the path from a message of the reader, which names no types.</summary>
    public static string Trim(string message)
    {
        var end = message.IndexOf(" LineNumber: ", StringComparison.Ordinal);
        var words = (end < 0 ? message : message[..end]).TrimEnd(' ', '|', '.');
        var sentence = words.IndexOf(". ", StringComparison.Ordinal);      // the next one is about the options of the reader
        return $"Invalid JSON: {Shorten(sentence < 0 ? words : words[..sentence])}";
    }

    private static string Describe(string message, string path)
    {
        var missing = After(message, "missing required properties including: ");
        if (missing is not null) { return $"The JSON object at {path} lacks {Shorten(missing)}"; }
        if (message.Contains(NoNull, StringComparison.Ordinal)) { return $"The JSON value at {path} is null; a value is required"; }
        if (message.StartsWith("Duplicate propert", StringComparison.Ordinal)) { return $"The JSON object has a name twice: {path}"; }
        return message.Contains("could not be mapped to any .NET member", StringComparison.Ordinal)
            ? $"The JSON object has an unknown member: {path}"
            : $"The JSON value at {path} is not valid for the expected type";
    }

    private static string? After(string message, string words)
    {
        var at = message.IndexOf(words, StringComparison.Ordinal);
        if (at < 0) { return null; }
        var rest = message[(at + words.Length)..];
        var end = rest.IndexOf(". Path: ", StringComparison.Ordinal);
        return (end < 0 ? rest : rest[..end]).TrimEnd('.');
    }

    private static string Shorten(string text) => text.Length <= LongestPath ? text : $"{text.AsSpan(0, LongestPath)}...";

    private static CoapPayloadException Create(string what, JsonException place, ReadOnlySpan<byte> payload, long origin, Exception cause)
    {
        if (place.LineNumber is not { } line || place.BytePositionInLine is not { } position)
        {
            return new CoapPayloadException($"{what}.", null, cause);
        }
        var offset = origin + OffsetOf(payload, line, position);
        return new CoapPayloadException($"{what} (at byte {offset}).", offset, cause);
    }

    private static long OffsetOf(ReadOnlySpan<byte> payload, long line, long position)
    {
        var start = 0;
        for (; line > 0; line--)
        {
            var end = payload[start..].IndexOf((byte)'\n');
            if (end < 0) { break; }
            start += end + 1;
        }
        return Math.Min(start + position, payload.Length);
    }

    private static bool TryFindSyntaxError(ReadOnlySpan<byte> payload, int maxDepth, [NotNullWhen(true)] out JsonException? error)
    {
        error = null;
        try
        {
            var reader = new Utf8JsonReader(payload, new JsonReaderOptions { MaxDepth = maxDepth });
            while (reader.Read())
            {
            }
        }
        catch (JsonException exception) { error = exception; }
        return error is not null;
    }
}
