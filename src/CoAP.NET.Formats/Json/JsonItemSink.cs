using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace CoAP.Formats;

/// <summary>Writes a JSON array piece by piece.</summary>
internal sealed class JsonItemSink<T> : TextArraySink<T>
{
    private readonly JsonTypeInfo<T> _type;
    private readonly Utf8JsonWriter _writer;

    public JsonItemSink(JsonTypeInfo<T> type, JsonWriterOptions options)
    {
        _type = type;
        _writer = new Utf8JsonWriter(Buffer, options);
        _writer.WriteStartArray();
    }

    public override bool IsFull => Buffer.WrittenCount + _writer.BytesPending >= TextArraySource<T>.ChunkSize;

    public override ReadOnlyMemory<byte> Written
    {
        get
        {
            _writer.Flush();
            return Buffer.WrittenMemory;
        }
    }

    public override void Write(T item) => JsonSerializer.Serialize(_writer, item, _type);

    public override void End() => _writer.WriteEndArray();

    public override void Dispose()
    {
        _writer.Dispose();
        base.Dispose();
    }
}
