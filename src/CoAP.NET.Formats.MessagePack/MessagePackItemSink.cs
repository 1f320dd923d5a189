using System.Buffers;
using Nerdbank.MessagePack;

namespace CoAP.Formats;

/// <summary>Writes an array, item by item, to a buffer that is emptied again and again.</summary>
internal sealed class MessagePackItemSink<T>
{
    private const int Full = 64 << 10;

    private readonly ArrayBufferWriter<byte> _buffer = new(Full);
    private readonly MessagePackFormat _format;
    private readonly int _count;
    private int _written;

    /// <summary>Begins an array.</summary>
    public MessagePackItemSink(MessagePackFormat format, int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        format.ShapeOf<T>();
        (_format, _count) = (format, count);
        var writer = new MessagePackWriter(_buffer);
        writer.WriteArrayHeader(count);
        writer.Flush();
    }

    /// <summary>Whether the buffer should be emptied.</summary>
    public bool IsFull => _buffer.WrittenCount >= Full;

    /// <summary>Writes an item.</summary>
    /// <exception cref="ArgumentException">There are more items than announced.</exception>
    public void Write(T item)
    {
        if (_written == _count) { throw Wrong("more"); }
        _written++;
        _format.Write(_buffer, item);
    }

    /// <summary>Returns the bytes that have been written. They are valid until <see cref="Clear"/>.</summary>
    public ReadOnlyMemory<byte> Written => _buffer.WrittenMemory;

    public void Clear() => _buffer.ResetWrittenCount();

    /// <summary>Throws unless as many items were written as announced.</summary>
    /// <exception cref="ArgumentException">There are fewer.</exception>
    public void CheckCount()
    {
        if (_written < _count) { throw Wrong($"only {_written}"); }
    }

    private ArgumentException Wrong(string number) => new($"The array announces {_count} items, but the sequence has {number}.");
}
