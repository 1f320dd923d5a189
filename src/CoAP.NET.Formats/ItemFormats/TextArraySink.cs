using System.Buffers;

namespace CoAP.Formats;

/// <summary>Writes the items of one large array piece by piece. Performs no I/O. Not safe for concurrent use.</summary>
/// <typeparam name="T">The type of the items.</typeparam>
internal abstract class TextArraySink<T> : IDisposable
{
    /// <summary>The encoded bytes that nobody has taken yet.</summary>
    protected ArrayBufferWriter<byte> Buffer { get; } = new(2 * TextArraySource<T>.ChunkSize);

    /// <summary>Whether enough bytes are there to be sent.</summary>
    public abstract bool IsFull { get; }

    /// <summary>The encoded bytes. Valid until the next call.</summary>
    public abstract ReadOnlyMemory<byte> Written { get; }

    /// <summary>Writes one item.</summary>
    public abstract void Write(T item);

    /// <summary>Ends the array.</summary>
    public abstract void End();

    /// <summary>Forgets the bytes of <see cref="Written"/>.</summary>
    public void Clear() => Buffer.ResetWrittenCount();

    /// <inheritdoc/>
    public virtual void Dispose()
    {
    }
}
