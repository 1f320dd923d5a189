namespace CoAP.Transports;

/// <summary>One direction of an in-memory connection: a ring buffer. One writer and one reader may use it concurrently.</summary>
/// <param name="capacity">The largest number of bytes in flight.</param>
/// <param name="flight">Delays the bytes; <see langword="null"/> if they arrive at once.</param>
/// <param name="watch">Is told what is written, under the lock of the pipe; <see langword="null"/> if nobody wants to know.</param>
internal sealed class InMemoryPipe(int capacity, ByteFlight? flight = null, ConnectionWatch? watch = null)
{
    private readonly Lock _lock = new();
    private byte[] _ring = [];
    private int _start;
    private int _count;         // bytes in flight and arrived
    private int _arrived;
    private bool _isEnded;
    private bool _hasEndArrived;
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
            count = Math.Min(buffer.Length, _arrived);
            if (count == 0) { return _hasEndArrived ? StreamOutcome.Ended : StreamOutcome.WouldBlock; }
            var first = Math.Min(count, _ring.Length - _start);
            _ring.AsSpan(_start, first).CopyTo(buffer);
            _ring.AsSpan(0, count - first).CopyTo(buffer[first..]);
            _start = (_start + count) % _ring.Length;
            _count -= count;
            _arrived -= count;
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
            reader = TakeReader();
        }

        reader?.OnReadable();
        return StreamOutcome.Done;
    }

    public void ArmRead(IStreamEvents events)
    {
        lock (_lock)
        {
            if (_arrived == 0 && !_hasEndArrived)
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
            reader = TakeReader();
        }

        reader?.OnReadable();
        if (isDone) { events.OnWritable(); }
    }

    /// <summary>Ends the writer's side.</summary>
    public void End() => Finish(isReader: false);

    /// <summary>Ends the reader's side. Further writes fail.</summary>
    public void Break() => Finish(isReader: true);

    /// <summary>Ends both sides, and tells both.</summary>
    public void Abort()
    {
        _isBroken = true;
        Finish(isReader: false, isAborted: true);
    }

    private void Finish(bool isReader, bool isAborted = false)
    {
        IStreamEvents? reader, writer;
        lock (_lock)
        {
            if (!isReader && !_isEnded)
            {
                _isEnded = true;
                watch?.Ended(isAborted);
                Launch(0);
            }
            _isBroken |= isReader || !_rest.IsEmpty;
            _rest = default;
            reader = isReader ? null : TakeReader();
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
        watch?.Sent(bytes[..count]);
        Launch(count);
        return count;
    }

    // Zero bytes are the end.
    private void Launch(int count)
    {
        if (flight is null) { Land(count); }
        else { flight.Launch(() => OnArrived(count)); }
    }

    private void Land(int count)
    {
        _arrived += count;
        _hasEndArrived |= count == 0;
    }

    private void OnArrived(int count)
    {
        IStreamEvents? reader;
        lock (_lock)
        {
            Land(count);
            reader = TakeReader();
        }
        reader?.OnReadable();
    }

    private IStreamEvents? TakeReader() => _arrived > 0 || _hasEndArrived ? Take(ref _reader) : null;

    private static IStreamEvents? Take(ref IStreamEvents? events)
    {
        var taken = events;
        events = null;
        return taken;
    }
}
