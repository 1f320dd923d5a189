using System.Text;
using System.Text.Json;
using System.Text.Unicode;

namespace CoAP.Formats;

/// <summary>Checks what System.Text.Json does not check: valid UTF-8, the longest text, and the largest array or object.</summary>
internal static class JsonScan
{
    private const int LongNumber = 39;
    private const int ShortestCollection = 2;

    /// <summary>Checks a payload. Costs one pass over the bytes; a second one only if the payload is long enough to exceed a limit.</summary>
    /// <exception cref="CoapPayloadException">The payload breaks a rule.</exception>
    public static void Check(ReadOnlySpan<byte> payload, PayloadLimits limits, long origin)
    {
        if (!Utf8.IsValid(payload))
        {
            var at = FirstInvalid(payload) + origin;
            throw new CoapPayloadException($"The JSON is not valid UTF-8 (at byte {at}).", at);
        }
        var mayCostMuch = limits.IsTooMuch(payload.Length / ShortestCollection)
            && limits.IsTooMuch(payload.Count((byte)'[') + (long)payload.Count((byte)'{'));
        if (payload.Length <= limits.MaxLength && payload.Length / 2 <= limits.MaxCount && !mayCostMuch) { return; }
        var collections = 0L;
        Span<int> counts = stackalloc int[limits.MaxDepth + 1];
        var reader = new Utf8JsonReader(payload, new JsonReaderOptions { MaxDepth = limits.MaxDepth });
        try
        {
            while (reader.Read())
            {
                Check(ref reader, counts, limits, origin);
                if (reader.TokenType is JsonTokenType.StartArray or JsonTokenType.StartObject && limits.IsTooMuch(++collections))
                {
                    throw limits.TooMuchMemory(reader.TokenStartIndex + origin);
                }
            }
        }
        catch (JsonException exception) { throw JsonErrors.Convert(exception, payload, limits.MaxDepth, origin); }
    }

    /// <summary>Returns whether a valid payload contains a number beyond the range of <see cref="float"/>.</summary>
    public static bool HasLargeNumber(ReadOnlySpan<byte> payload)
    {
        if (!MayHaveLargeNumber(payload)) { return false; }
        var reader = new Utf8JsonReader(payload, new JsonReaderOptions { MaxDepth = int.MaxValue });
        while (reader.Read())
        {
            if (reader.TokenType == JsonTokenType.Number && (!reader.TryGetDouble(out var number) || Math.Abs(number) > float.MaxValue)) { return true; }
        }
        return false;
    }

    // Fast: looks for an exponent of two digits, or for 39 digits. A text can look like that, too.
    private static bool MayHaveLargeNumber(ReadOnlySpan<byte> payload)
    {
        for (var at = LongNumber - 1; at < payload.Length; at += LongNumber)
        {
            if (char.IsAsciiDigit((char)payload[at]) && DigitsAround(payload, at) >= LongNumber) { return true; }
        }
        for (var rest = payload; rest.IndexOfAny((byte)'e', (byte)'E') is >= 0 and var at; rest = rest[(at + 1)..])
        {
            if (at == 0 || !char.IsAsciiDigit((char)rest[at - 1])) { continue; }
            var exponent = rest[(at + 1)..];
            if (exponent is [(byte)'+', ..]) { exponent = exponent[1..]; }
            if (exponent is [var first, var second, ..] && char.IsAsciiDigit((char)first) && char.IsAsciiDigit((char)second)) { return true; }
        }
        return false;
    }

    private static int DigitsAround(ReadOnlySpan<byte> payload, int at)
    {
        var before = payload[..at].LastIndexOfAnyExceptInRange((byte)'0', (byte)'9');
        var after = payload[at..].IndexOfAnyExceptInRange((byte)'0', (byte)'9');
        return (after < 0 ? payload.Length : at + after) - before - 1;
    }

    private static void Check(ref Utf8JsonReader reader, scoped Span<int> counts, PayloadLimits limits, long origin)
    {
        var (depth, at) = (reader.CurrentDepth, reader.TokenStartIndex + origin);
        var token = reader.TokenType;
        if (token is JsonTokenType.String or JsonTokenType.PropertyName && reader.ValueSpan.Length > limits.MaxLength)
        {
            throw new CoapPayloadException($"The text has {reader.ValueSpan.Length} bytes; at most {limits.MaxLength} are allowed (at byte {at}).",
                at);
        }
        if (token is JsonTokenType.EndArray or JsonTokenType.EndObject) { return; }
        if (depth > 0 && counts[depth] >= 0) { Count(counts, depth, limits, at); }
        else if (depth > 0 && token == JsonTokenType.PropertyName) { CountName(counts, depth, limits, at); }
        if (token == JsonTokenType.StartArray) { counts[depth + 1] = 0; }
        else if (token == JsonTokenType.StartObject) { counts[depth + 1] = -1; }
    }

    private static void Count(scoped Span<int> counts, int depth, PayloadLimits limits, long at)
    {
        if (++counts[depth] > limits.MaxCount)
        {
            throw new CoapPayloadException($"The array has more than {limits.MaxCount} items; at most {limits.MaxCount} are allowed (at byte {at}).",
                at);
        }
    }

    // Objects count downwards from -1, so that the sign tells them from arrays.
    private static void CountName(scoped Span<int> counts, int depth, PayloadLimits limits, long at)
    {
        if (-1 - --counts[depth] > limits.MaxCount)
        {
            throw new CoapPayloadException(
                $"The object has more than {limits.MaxCount} members; at most {limits.MaxCount} are allowed (at byte {at}).", at);
        }
    }

    private static int FirstInvalid(ReadOnlySpan<byte> payload)
    {
        var at = 0;
        while (Rune.DecodeFromUtf8(payload[at..], out _, out var length) == System.Buffers.OperationStatus.Done) { at += length; }
        return at;
    }
}
