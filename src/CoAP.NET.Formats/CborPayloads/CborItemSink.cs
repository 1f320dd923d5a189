using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace CoAP.Formats;

/// <summary>Writes the items of one array in pieces. Performs no I/O. Not safe for concurrent use.</summary>
internal sealed class CborItemSink<T> : IBufferWriter<byte>, IDisposable
{
    private const int FullAt = 48 << 10;
    private const int FirstSize = 64 << 10;
    private const int Part = 8 << 10;
    private const int IntegersAtOnce = 4096;

    private readonly PayloadContract<T> _contract;
    private readonly CborWriter _writer;
    private readonly int _announced;
    private byte[] _bytes;
    private int _used;
    private int _count;

    internal CborItemSink(PayloadContract<T> contract, int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        _contract = contract;
        _announced = count;
        _bytes = ArrayPool<byte>.Shared.Rent(FirstSize);
        _writer = new CborWriter(this);
        _writer.WriteArrayStart(count);
    }

    /// <summary>Whether the bytes should be taken.</summary>
    internal bool IsFull => _used >= FullAt;

    /// <summary>Returns the bytes that nobody has taken yet. They are valid until the next call.</summary>
    internal ReadOnlyMemory<byte> Take()
    {
        _writer.Flush();
        var bytes = _bytes.AsMemory(0, _used);
        _used = 0;
        return bytes;
    }

    internal void Write(T item)
    {
        if (_count == _announced) { throw WrongCount("more than "); }
        _count++;
        _contract.Write(_writer, item);
    }

    /// <summary>Writes items until the bytes should be taken. Returns the number of items.</summary>
    internal int Write(ReadOnlySpan<T> items)
    {
        if (typeof(T) == typeof(int) && _contract is Int32Contract)
        {
            var count = Math.Min(items.Length, IntegersAtOnce);
            if (count > _announced - _count) { throw WrongCount("more than "); }
            _count += count;
            ref var first = ref Unsafe.As<T, int>(ref MemoryMarshal.GetReference(items));
            _writer.WriteInt32s(MemoryMarshal.CreateReadOnlySpan(ref first, count));
            return count;
        }
        var written = 0;
        while (written < items.Length && !IsFull) { Write(items[written++]); }
        return written;
    }

    /// <summary>Throws unless all items have been written.</summary>
    internal void CheckCount()
    {
        if (_count < _announced) { throw WrongCount(""); }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_bytes.Length == 0) { return; }
        ArrayPool<byte>.Shared.Return(_bytes);
        _bytes = [];
    }

    void IBufferWriter<byte>.Advance(int count) => _used += count;

    // Small parts, so that the writer reports its progress often.
    Memory<byte> IBufferWriter<byte>.GetMemory(int sizeHint)
    {
        var size = Math.Max(sizeHint, Part);
        if (size > _bytes.Length - _used)
        {
            var larger = ArrayPool<byte>.Shared.Rent((int)Math.Min(Array.MaxLength, Math.Max(2L * _bytes.Length, _used + (long)size)));
            _bytes.AsSpan(0, _used).CopyTo(larger);
            ArrayPool<byte>.Shared.Return(_bytes);
            _bytes = larger;
        }
        return _bytes.AsMemory(_used, size);
    }

    Span<byte> IBufferWriter<byte>.GetSpan(int sizeHint) => ((IBufferWriter<byte>)this).GetMemory(sizeHint).Span;

    private ArgumentException WrongCount(string relation) =>
        new($"The sequence has {relation}{_count} items; {_announced} were announced. The array in the stream is not complete.");
}
