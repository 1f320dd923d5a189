using System.Buffers;
using System.IO.MemoryMappedFiles;

namespace CoAP.Transports;

/// <summary>Memory that returns to the system when it is disposed of, not when the garbage collector runs.</summary>
internal sealed unsafe class MappedMemory : MemoryManager<byte>
{
    private readonly MemoryMappedViewAccessor _view;
    private readonly byte* _start;
    private readonly int _length;

    public MappedMemory(int length)
    {
        _length = length;
        // The view does not need the file, so no descriptor is held. A message may have many views.
        using var file = MemoryMappedFile.CreateNew(null, length);
        _view = file.CreateViewAccessor(0, length);
        _view.SafeMemoryMappedViewHandle.AcquirePointer(ref _start);
    }

    public override Span<byte> GetSpan() => new(_start, _length);

    // A pin, for example by a socket read in progress, delays the release.
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
