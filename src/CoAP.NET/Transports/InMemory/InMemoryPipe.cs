namespace CoAP.Transports;

/// <summary>One direction of an in-memory connection: a ring buffer. One writer and one reader may use it concurrently.</summary>
internal sealed class InMemoryPipe(int capacity)
{
    private readonly Lock _lock = new();
    private byte[] _ring = [];
    private int _start;
    private int _count;
    private bool _isEnded;
    private volatile bool _isBroken;
    private IStreamEvents? _reader;
    private IStreamEvents? _writer;
    private ReadOnlyMemory<byte> _rest;

    /// <summary>Whether the reader has closed, or the writer ended before its armed bytes were written.</summary>
    public bool IsBroken => _isBroken;

    public StreamOutcome Read(Span<byte> buffer, out int count)
    {
        IStreamEvents? writer;
        lock (_lock)
        {
            count = Math.Min(buffer.Length, _count);
            if (count == 0) { return _isEnded ? StreamOutcome.Ended : StreamOutcome.WouldBlock; }
            var first = Math.Min(count, _ring.Length - _start);
            _ring.AsSpan(_start, first).CopyTo(buffer);
            _ring.AsSpan(0, count - first).CopyTo(buffer[first..]);
            _start = (_start + count) % _ring.Length;
            _count -= count;
            _rest = _rest[Put(_rest.Span)..];
            writer = _rest.IsEmpty ? Take(ref _writer) : null;
        }

        writer?.OnWritable();
        return StreamOutcome.Done;
    }

    public StreamOutcome Write(ReadOnlySpan<byte> bytes, out int count)
    {
        IStreamEvents? reader;
        lock (_lock)
        {
            count = 0;
            if (_isBroken || _isEnded) { return StreamOutcome.Failed; }
            count = Put(bytes);
            if (count == 0) { return StreamOutcome.WouldBlock; }
            reader = Take(ref _reader);
        }

        reader?.OnReadable();
        return StreamOutcome.Done;
    }

    public void ArmRead(IStreamEvents events)
    {
        lock (_lock)
        {
            if (_count == 0 && !_isEnded)
            {
                _reader = events;
                return;
            }
        }

        events.OnReadable();
    }

    public void ArmWrite(ReadOnlyMemory<byte> rest, IStreamEvents events)
    {
        IStreamEvents? reader;
        bool isDone;
        lock (_lock)
        {
            var isOver = _isBroken || _isEnded;
            _rest = isOver ? default : rest[Put(rest.Span)..];
            isDone = _rest.IsEmpty;
            _writer = isDone ? null : events;
            reader = _count > 0 ? Take(ref _reader) : null;
        }

        reader?.OnReadable();
        if (isDone) { events.OnWritable(); }
    }

    /// <summary>Ends the writer's side.</summary>
    public void End() => Finish(isReader: false);

    /// <summary>Ends the reader's side. Further writes fail.</summary>
    public void Break() => Finish(isReader: true);

    private void Finish(bool isReader)
    {
        IStreamEvents? reader, writer;
        lock (_lock)
        {
            _isEnded |= !isReader;
            _isBroken |= isReader || !_rest.IsEmpty;
            _rest = default;
            reader = isReader ? null : Take(ref _reader);
            if (isReader) { _reader = null; }
            writer = Take(ref _writer);
        }

        reader?.OnReadable();
        writer?.OnWritable();
    }

    private int Put(ReadOnlySpan<byte> bytes)
    {
        var count = Math.Min(bytes.Length, capacity - _count);
        if (count == 0) { return 0; }
        if (_ring.Length == 0) { _ring = new byte[capacity]; }
        var end = (_start + _count) % capacity;
        var first = Math.Min(count, capacity - end);
        bytes[..first].CopyTo(_ring.AsSpan(end));
        bytes[first..count].CopyTo(_ring);
        _count += count;
        return count;
    }

    private static IStreamEvents? Take(ref IStreamEvents? events)
    {
        var taken = events;
        events = null;
        return taken;
    }
}
