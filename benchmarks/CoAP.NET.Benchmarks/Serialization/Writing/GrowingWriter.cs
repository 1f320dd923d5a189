using System.Buffers;

namespace CoAP.Benchmarks.Serialization.Writing;

/// <summary>A pooled buffer that grows by taking one twice as large and copying: what the case study's serializer wrote into.</summary>
internal sealed class GrowingWriter : IBufferWriter<byte>, IDisposable
{
    private const int Smallest = 256;

    private byte[] _buffer = [];
    private int _written;

    /// <summary>How often a larger buffer was taken.</summary>
    public int Growths { get; private set; }

    /// <summary>The bytes that were copied for it.</summary>
    public long Copied { get; private set; }

    public ReadOnlySpan<byte> WrittenSpan => _buffer.AsSpan(0, _written);

    public void Advance(int count) => _written += count;

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Ensure(sizeHint);
        return _buffer.AsMemory(_written);
    }

    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Ensure(sizeHint);
        return _buffer.AsSpan(_written);
    }

    public void Dispose()
    {
        if (_buffer.Length > 0) { ArrayPool<byte>.Shared.Return(_buffer); }
        (_buffer, _written) = ([], 0);
    }

    private void Ensure(int sizeHint)
    {
        if (_buffer.Length - _written >= Math.Max(1, sizeHint)) { return; }
        var larger = ArrayPool<byte>.Shared.Rent(Math.Max(Smallest, Math.Max(_buffer.Length * 2, _written + sizeHint)));
        WrittenSpan.CopyTo(larger);
        if (_buffer.Length > 0) { ArrayPool<byte>.Shared.Return(_buffer); }
        (Growths, Copied) = (Growths + 1, Copied + _written);
        _buffer = larger;
    }
}
