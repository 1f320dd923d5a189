using System.Buffers;
using System.Diagnostics.CodeAnalysis;

namespace CoAP.Formats;

/// <summary>Finds the items of one large array in bytes that arrive in pieces. Performs no I/O. Not safe for concurrent use.</summary>
/// <typeparam name="T">The type of the items.</typeparam>
internal abstract class TextArraySource<T>(PayloadLimits limits) : IDisposable
{
    /// <summary>The number of bytes that are read at once.</summary>
    public const int ChunkSize = 64 << 10;

    private byte[] _buffer = ArrayPool<byte>.Shared.Rent(ChunkSize);

    /// <summary>Whether the array has ended and all items have been read.</summary>
    public bool IsEnded { get; protected set; }

    /// <summary>The bounds of one item.</summary>
    protected PayloadLimits Limits => limits;

    /// <summary>Whether no bytes follow those in <see cref="Pending"/>.</summary>
    protected bool IsFinal { get; private set; }

    /// <summary>The bytes that have arrived and are not yet part of an item that has been read.</summary>
    protected ArraySegment<byte> Pending { get; private set; } = ArraySegment<byte>.Empty;

    /// <summary>The offset of the first byte of <see cref="Pending"/> in the stream.</summary>
    protected long Origin { get; private set; }

    /// <summary>Reads the next item if it has arrived completely.</summary>
    public abstract bool TryRead([MaybeNullWhen(false)] out T item);

    /// <summary>Returns the place for the bytes that arrive next.</summary>
    /// <exception cref="CoapPayloadException">An item is larger than a payload may be.</exception>
    public Memory<byte> Free()
    {
        var (start, count) = (Pending.Offset, Pending.Count);
        if (count > limits.MaxSize)
        {
            throw new CoapPayloadException($"An item has more than {limits.MaxSize} bytes; at most {limits.MaxSize} are allowed (at byte {Origin}).",
                Origin);
        }
        if (count > _buffer.Length / 2)
        {
            var larger = ArrayPool<byte>.Shared.Rent((int)Math.Min(Array.MaxLength, 2L * _buffer.Length));
            Pending.AsSpan().CopyTo(larger);
            ArrayPool<byte>.Shared.Return(_buffer);
            _buffer = larger;
        }
        else if (start > 0) { Buffer.BlockCopy(_buffer, start, _buffer, 0, count); }
        Pending = new ArraySegment<byte>(_buffer, 0, count);
        return _buffer.AsMemory(count);
    }

    /// <summary>Accepts bytes that have been written to the result of <see cref="Free"/>. Zero bytes end the stream.</summary>
    public void Advance(int count)
    {
        IsFinal |= count == 0;
        Pending = new ArraySegment<byte>(_buffer, 0, Pending.Count + count);
    }

    /// <inheritdoc/>
    public virtual void Dispose()
    {
        var buffer = Interlocked.Exchange(ref _buffer, []);
        if (buffer.Length > 0) { ArrayPool<byte>.Shared.Return(buffer); }
    }

    /// <summary>Drops bytes from the start of <see cref="Pending"/>.</summary>
    protected void Consume(int count)
    {
        Pending = Pending[count..];
        Origin += count;
    }
}
