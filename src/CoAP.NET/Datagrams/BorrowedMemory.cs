using System.Buffers;

namespace CoAP.Datagrams;

/// <summary>Exposes the bytes of a transport to the mesh for the duration of one call, without a copy.</summary>
internal sealed unsafe class BorrowedMemory : MemoryManager<byte>
{
    private byte* _start;
    private int _length;

    /// <summary>Returns memory over the bytes, which must not move until <see cref="Return"/> is called.</summary>
    public Memory<byte> Lend(byte* start, int length)
    {
        _start = start;
        _length = length;
        return CreateMemory(length);
    }

    public void Return()
    {
        _start = null;
        _length = 0;
    }

    public override Span<byte> GetSpan() => new(_start, _length);

    public override MemoryHandle Pin(int elementIndex = 0) => new(_start + elementIndex);

    public override void Unpin() { }

    protected override void Dispose(bool disposing) => Return();
}
