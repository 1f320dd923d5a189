using System.Buffers;

namespace CoAP.Benchmarks;

/// <summary>A pooled buffer that doubles and copies, as in the case study.</summary>
internal sealed class GrowingWriter : IBufferWriter<byte>, IDisposable
{
    private const int Smallest = 256;

    private byte[] _buffer = [];
    private int _written;

    /// <summary>The number of buffers that were taken.</summary>
    public int Growths { get; private set; }

    /// <summary>The bytes that were copied into larger buffers.</summary>
    public long Copied { get; private set; }

    public ReadOnlySpan<byte> WrittenSpan => _buffer.AsSpan(0, _written);

    public void Advance(int count) => _written += count;

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        if (_buffer.Length - _written < Math.Max(1, sizeHint)) { Grow(sizeHint); }
        return _buffer.AsMemory(_written);
    }

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    public void Dispose()
    {
        if (_buffer.Length > 0) { ArrayPool<byte>.Shared.Return(_buffer); }
        (_buffer, _written) = ([], 0);
    }

    private void Grow(int sizeHint)
    {
        var larger = ArrayPool<byte>.Shared.Rent(Math.Max(Smallest, Math.Max(_buffer.Length * 2, _written + sizeHint)));
        WrittenSpan.CopyTo(larger);
        if (_buffer.Length > 0) { ArrayPool<byte>.Shared.Return(_buffer); }
        (Growths, Copied) = (Growths + 1, Copied + _written);
        _buffer = larger;
    }
}
