using System.Buffers;
using CoAP.Lanes;

namespace CoAP.TestSupport;

/// <summary>The bytes of a representation that count how often they are read: by anybody, and on the thread of a lane.</summary>
internal sealed class CountedPayload(int length, byte fill = 0) : MemoryManager<byte>
{
    private readonly byte[] _bytes = [.. Enumerable.Repeat(fill, length)];
    private int _reads;
    private int _readsOnLanes;

    public int Reads => Volatile.Read(ref _reads);

    public int ReadsOnLanes => Volatile.Read(ref _readsOnLanes);

    public override Memory<byte> Memory => CreateMemory(_bytes.Length);     // the base class reads the span for its length

    public override Span<byte> GetSpan()
    {
        Interlocked.Increment(ref _reads);
        if (Lane.IsAnyOwnedByCaller) { Interlocked.Increment(ref _readsOnLanes); }
        return _bytes;
    }

    public override MemoryHandle Pin(int elementIndex = 0) => throw new NotSupportedException("A test reads the bytes as a span.");

    public override void Unpin()
    {
    }

    protected override void Dispose(bool disposing)
    {
    }
}
