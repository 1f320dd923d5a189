using System.Buffers;

namespace CoAP.Datagrams;

/// <summary>Lends bytes that a transport owns to the mesh for the length of one call, without a copy.</summary>
internal sealed unsafe class BorrowedMemory : MemoryManager<byte>
{
    private byte* _start;
    private int _length;

    /// <summary>Begins a loan; the bytes must stay where they are until <see cref="Return"/>.</summary>
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

    public override void Unpin()
    {
    }

    protected override void Dispose(bool disposing) => Return();
}
