using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace CoAP.Formats;

/// <summary>Finds the items of a JSON array that arrives in pieces.</summary>
/// <remarks>
/// Each token is scanned once, even if an item arrives in many pieces. Only an incomplete token is scanned again. If it is long, it is not scanned
/// before twice as many bytes have arrived, so the time stays linear.
/// </remarks>
internal sealed class JsonItemSource<T>(JsonFormat format, JsonTypeInfo<T> type) : TextArraySource<T>(format.Limits)
{
    private const int LongToken = 4096;

    // The value of a number token is read without a second pass if the runtime's own converter reads this type.
    private readonly bool _isPlainNumber = (typeof(T) == typeof(int) || typeof(T) == typeof(long) || typeof(T) == typeof(double))
        && type.Converter.GetType().Assembly == typeof(JsonSerializer).Assembly;

    private JsonReaderState _state = new(new JsonReaderOptions { MaxDepth = format.Limits.MaxDepth });
    private int _scanned, _wanted;
    private bool _isInItem, _hasStarted;

    public override bool TryRead([MaybeNullWhen(false)] out T item)
    {
        item = default;
        if (Pending.Count - _scanned < _wanted && !IsFinal) { return false; }
        var reader = new Utf8JsonReader(Pending.AsSpan(_scanned), IsFinal, _state);
        try
        {
            var start = _isInItem ? -_scanned : 0L;     // of the item, from the start of the span
            while (reader.Read())
            {
                if (!BeginsOrEnds(ref reader, ref start)) { continue; }
                item = Convert(ref reader, (int)start);
                Keep(in reader, keep: (int)reader.BytesConsumed);
                return true;
            }
            _wanted = reader.BytesConsumed == 0 && Pending.Count - _scanned > LongToken ? 2 * (Pending.Count - _scanned) : 0;
            Keep(in reader, keep: _isInItem ? (int)start : (int)reader.BytesConsumed);
            IsEnded = IsFinal;
            return false;
        }
        catch (JsonException exception)
        {
            var at = Origin + _scanned + reader.BytesConsumed;
            throw new CoapPayloadException($"{JsonErrors.Trim(exception.Message)} (at byte {at}).", at, exception);
        }
    }

    // Returns true at the last token of an item.
    private bool BeginsOrEnds(ref Utf8JsonReader reader, ref long start)
    {
        var token = reader.TokenType;
        if (!_hasStarted)
        {
            var at = Origin + _scanned + reader.TokenStartIndex;
            if (token != JsonTokenType.StartArray) { throw new CoapPayloadException($"The JSON is not an array (at byte {at}).", at); }
            _hasStarted = true;
            return false;
        }
        if (reader.CurrentDepth != 1) { return false; }
        if (token is JsonTokenType.EndObject or JsonTokenType.EndArray)
        {
            _isInItem = false;
            return true;
        }
        if (_isInItem) { return false; }
        start = reader.TokenStartIndex;
        _isInItem = token is JsonTokenType.StartObject or JsonTokenType.StartArray;
        return !_isInItem;
    }

    private T Convert(ref Utf8JsonReader reader, int start)
    {
        if (_isPlainNumber && reader.TokenType == JsonTokenType.Number)
        {
            if (typeof(T) == typeof(int) && reader.TryGetInt32(out var number)) { return Unsafe.BitCast<int, T>(number); }
            if (typeof(T) == typeof(long) && reader.TryGetInt64(out var large)) { return Unsafe.BitCast<long, T>(large); }
            if (typeof(T) == typeof(double) && reader.TryGetDouble(out var real) && double.IsFinite(real)) { return Unsafe.BitCast<double, T>(real); }
        }
        var bytes = Pending.AsSpan((_scanned + start)..(_scanned + (int)reader.BytesConsumed));
        return format.Read(bytes, type, Origin + _scanned + start);
    }

    // Keeps the bytes from an index of the span on, and continues after those that the reader has consumed.
    private void Keep(in Utf8JsonReader reader, int keep)
    {
        var (consumed, dropped) = ((int)reader.BytesConsumed, _scanned + keep);
        _state = reader.CurrentState;
        _scanned = consumed - keep;
        Consume(dropped);
    }
}
