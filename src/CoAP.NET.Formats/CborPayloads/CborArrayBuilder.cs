using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace CoAP.Formats;

/// <summary>Collects the items of an array from a stream in a list or an array of the final size.</summary>
/// <remarks>
/// The announced count is trusted only when enough bytes have arrived: the memory is at most 16 KiB and 128 bytes for each byte of the stream.
/// Until then, the collection doubles. So a large list of integers needs at most 1/16 more memory than its final size.
/// </remarks>
internal sealed class CborArrayBuilder<T>(CborItemSource<T> source, bool isList)
{
    private const int BytesPerByte = 128;
    private const int FreeBytes = 16 << 10;
    private const int LeastItems = 16;

    private readonly PayloadLimits _limits = source.Limits;
    private readonly List<T> _list = [];
    private T[] _array = [];
    private int _count;
    private long _spent;
    private long _grown;

    /// <summary>The number of bytes of the stream that are known to exist: its length if it can seek.</summary>
    internal long KnownBytes { get; init; }

    /// <summary>Adds the items that have arrived.</summary>
    internal void Collect()
    {
        if (source.Received > _limits.MaxSize)
        {
            throw new CoapPayloadException($"The payload has more than {_limits.MaxSize} bytes; at most {_limits.MaxSize} are allowed (at byte 0).", 0);
        }
        var before = GC.GetAllocatedBytesForCurrentThread();
        _grown = 0;
        CollectAll();
        // The room for the items counts once: the smaller rooms before it are free again.
        _spent += GC.GetAllocatedBytesForCurrentThread() - before - _grown;
        CheckMemory(isList ? _list.Capacity : _array.Length);
    }

    private void CollectAll()
    {
        while (true)
        {
            var items = isList ? CollectionsMarshal.AsSpan(_list) : _array;
            var taken = source.Read(items[_count..]);
            _count += taken;
            if (_count > _limits.MaxCount) { throw TooMany(_count); }
            // The next item tells whether more room is needed, and the first one comes after the head with the count.
            if (_count < items.Length || !source.TryRead(out var item)) { return; }
            Grow();
            items = isList ? CollectionsMarshal.AsSpan(_list) : _array;
            items[_count++] = item;
        }
    }

    internal List<T> ToList()
    {
        CollectionsMarshal.SetCount(_list, _count);
        return _list;
    }

    internal T[] ToArray()
    {
        Array.Resize(ref _array, _count);
        return _array;
    }

    // Called when one item has been read for which there is no room.
    private void Grow()
    {
        var total = source.Announced is { } left ? _count + 1 + left : (long?)null;
        if ((total ?? (_count + 1L)) > _limits.MaxCount) { throw TooMany(total ?? (_count + 1L)); }
        var size = Math.Max(LeastItems, Math.Min(2L * _count, Array.MaxLength));
        if (total is { } all)
        {
            var isBelieved = all * Unsafe.SizeOf<T>() <= FreeBytes + (BytesPerByte * Math.Max(source.Received, KnownBytes));
            size = isBelieved ? all : Math.Min(size, all);
        }
        CheckMemory(size);
        _grown += size * Unsafe.SizeOf<T>();
        if (!isList) { Array.Resize(ref _array, (int)size); }
        else
        {
            _list.Capacity = (int)size;
            CollectionsMarshal.SetCount(_list, (int)size);
        }
    }

    private void CheckMemory(long room)
    {
        if (_spent + (room * Unsafe.SizeOf<T>()) > _limits.MaxMemory) { throw _limits.TooMuchMemory(0); }
    }

    private CoapPayloadException TooMany(long count) =>
        new($"The array has {count} items; at most {_limits.MaxCount} are allowed (at byte 0).", 0);
}
