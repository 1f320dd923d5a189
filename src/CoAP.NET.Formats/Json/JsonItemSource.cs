using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace CoAP.Formats;

/// <summary>Finds the items of a JSON array that arrives in pieces. Performs no I/O. Not safe for concurrent use.</summary>
/// <typeparam name="T">The type of the items.</typeparam>
/// <remarks>
/// Each token is scanned once, even if an item arrives in many pieces. Only an incomplete token is scanned again. If it is long, it is not scanned
/// before twice as many bytes have arrived, so the time stays linear.
/// </remarks>
internal sealed class JsonItemSource<T>(JsonFormat format, JsonTypeInfo<T> type) : IDisposable
{
    /// <summary>The number of bytes that are read at once.</summary>
    public const int ChunkSize = 64 << 10;

    private const int LongToken = 4096;

    // The value of a number token is read without a second pass if the runtime's own converter reads this type.
    private readonly bool _isPlainNumber = (typeof(T) == typeof(int) || typeof(T) == typeof(long) || typeof(T) == typeof(double))
        && type.Converter.GetType().Assembly == typeof(JsonSerializer).Assembly;

    private JsonReaderState _state = new(new JsonReaderOptions { MaxDepth = format.Limits.MaxDepth });
    private byte[] _buffer = ArrayPool<byte>.Shared.Rent(ChunkSize);

    // The bytes that have arrived and are not yet part of an item that has been read, and the offset of the first one in the stream.
    private ArraySegment<byte> _pending = ArraySegment<byte>.Empty;
    private long _origin;
    private int _scanned, _wanted;
    private bool _isFinal, _isInItem, _hasStarted, _isPastMark;

    /// <summary>Whether the array has ended and all items have been read.</summary>
    public bool IsEnded { get; private set; }

    /// <summary>Reads the next item if it has arrived completely.</summary>
    public bool TryRead([MaybeNullWhen(false)] out T item)
    {
        item = default;
        if (!_isPastMark && !TryPassMark()) { return false; }
        if (_pending.Count - _scanned < _wanted && !_isFinal) { return false; }
        var reader = new Utf8JsonReader(_pending.AsSpan(_scanned), _isFinal, _state);
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
            _wanted = reader.BytesConsumed == 0 && _pending.Count - _scanned > LongToken ? 2 * (_pending.Count - _scanned) : 0;
            Keep(in reader, keep: _isInItem ? (int)start : (int)reader.BytesConsumed);
            IsEnded = _isFinal;
            return false;
        }
        catch (JsonException exception)
        {
            var at = _origin + _scanned + reader.BytesConsumed;
            throw new CoapPayloadException($"{JsonErrors.Trim(exception.Message)} (at byte {at}).", at, exception);
        }
    }

    /// <summary>Returns the place for the bytes that arrive next.</summary>
    /// <exception cref="CoapPayloadException">An item is larger than a payload may be.</exception>
    public Memory<byte> Free()
    {
        var (start, count, most) = (_pending.Offset, _pending.Count, format.Limits.MaxSize);
        if (count > most)
        {
            throw new CoapPayloadException($"An item has more than {most} bytes; at most {most} are allowed (at byte {_origin}).", _origin);
        }
        if (count > _buffer.Length / 2)
        {
            var larger = ArrayPool<byte>.Shared.Rent((int)Math.Min(Array.MaxLength, 2L * _buffer.Length));
            _pending.AsSpan().CopyTo(larger);
            ArrayPool<byte>.Shared.Return(_buffer);
            _buffer = larger;
        }
        else if (start > 0) { Buffer.BlockCopy(_buffer, start, _buffer, 0, count); }
        _pending = new ArraySegment<byte>(_buffer, 0, count);
        return _buffer.AsMemory(count);
    }

    /// <summary>Accepts bytes that have been written to the result of <see cref="Free"/>. Zero bytes end the stream.</summary>
    public void Advance(int count)
    {
        _isFinal |= count == 0;
        _pending = new ArraySegment<byte>(_buffer, 0, _pending.Count + count);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        var buffer = Interlocked.Exchange(ref _buffer, []);
        if (buffer.Length > 0) { ArrayPool<byte>.Shared.Return(buffer); }
    }

    // Returns false if the bytes may be a part of the mark.
    private bool TryPassMark()
    {
        if (!_isFinal && ByteOrderMark.MayBegin(_pending)) { return false; }
        var mark = ByteOrderMark.LengthIn(_pending);
        _pending = _pending[mark..];
        _origin += mark;
        _isPastMark = true;
        return true;
    }

    // Returns true at the last token of an item.
    private bool BeginsOrEnds(ref Utf8JsonReader reader, ref long start)
    {
        var token = reader.TokenType;
        if (!_hasStarted)
        {
            var at = _origin + _scanned + reader.TokenStartIndex;
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
        var bytes = _pending.AsSpan((_scanned + start)..(_scanned + (int)reader.BytesConsumed));
        return format.Read(bytes, type, _origin + _scanned + start);
    }

    // Keeps the bytes from an index of the span on, and continues after those that the reader has consumed.
    private void Keep(in Utf8JsonReader reader, int keep)
    {
        var (consumed, dropped) = ((int)reader.BytesConsumed, _scanned + keep);
        _state = reader.CurrentState;
        _scanned = consumed - keep;
        _pending = _pending[dropped..];
        _origin += dropped;
    }
}
