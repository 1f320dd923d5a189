using System.Buffers;
using System.IO.MemoryMappedFiles;

namespace CoAP.Transports;

/// <summary>Memory of the system's that is gone the moment it is let go, and not when the collector comes by.</summary>
internal sealed unsafe class MappedMemory : MemoryManager<byte>
{
    private readonly MemoryMappedViewAccessor _view;
    private readonly byte* _start;
    private readonly int _length;

    public MappedMemory(int length)
    {
        _length = length;
        // The view lives without the file, and a message has many of them: no descriptor is held for each.
        using var file = MemoryMappedFile.CreateNew(null, length);
        _view = file.CreateViewAccessor(0, length);
        _view.SafeMemoryMappedViewHandle.AcquirePointer(ref _start);
    }

    public override Span<byte> GetSpan() => new(_start, _length);

    // Who has pinned it, a socket that is just being read, keeps it from going.
    public override MemoryHandle Pin(int elementIndex = 0)
    {
        byte* start = null;
        _view.SafeMemoryMappedViewHandle.AcquirePointer(ref start);
        return new MemoryHandle(start + elementIndex, pinnable: this);
    }

    public override void Unpin() => _view.SafeMemoryMappedViewHandle.ReleasePointer();

    protected override void Dispose(bool disposing)
    {
        if (!disposing) { return; }
        _view.SafeMemoryMappedViewHandle.ReleasePointer();
        _view.Dispose();
    }
}
