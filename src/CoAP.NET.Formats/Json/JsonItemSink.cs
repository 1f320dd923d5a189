using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace CoAP.Formats;

/// <summary>Writes the items of a JSON array piece by piece. Performs no I/O. Not safe for concurrent use.</summary>
/// <typeparam name="T">The type of the items.</typeparam>
internal sealed class JsonItemSink<T> : IDisposable
{
    private readonly ArrayBufferWriter<byte> _buffer = new(2 * JsonItemSource<T>.ChunkSize);
    private readonly JsonTypeInfo<T> _type;
    private readonly Utf8JsonWriter _writer;

    public JsonItemSink(JsonTypeInfo<T> type, JsonWriterOptions options)
    {
        _type = type;
        _writer = new Utf8JsonWriter(_buffer, options);
        _writer.WriteStartArray();
    }

    /// <summary>Whether enough bytes are there to be sent.</summary>
    public bool IsFull => _buffer.WrittenCount + _writer.BytesPending >= JsonItemSource<T>.ChunkSize;

    /// <summary>The encoded bytes that nobody has taken yet. Valid until the next call.</summary>
    public ReadOnlyMemory<byte> Written
    {
        get
        {
            _writer.Flush();
            return _buffer.WrittenMemory;
        }
    }

    /// <summary>Writes one item.</summary>
    public void Write(T item) => JsonSerializer.Serialize(_writer, item, _type);

    /// <summary>Ends the array.</summary>
    public void End() => _writer.WriteEndArray();

    /// <summary>Forgets the bytes of <see cref="Written"/>.</summary>
    public void Clear() => _buffer.ResetWrittenCount();

    /// <inheritdoc/>
    public void Dispose() => _writer.Dispose();
}
