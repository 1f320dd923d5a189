namespace CoAP.Transports;

/// <summary>A queue of bytes in pieces of system memory. It holds the tail of a large WebSocket message while the message is incomplete.</summary>
/// <remarks>
/// The length of such a message is unknown, so no array of its size can be allocated. Reading releases the pieces from the front. So the bytes in
/// the queue and the bytes that were read are together never much more than the message.
/// </remarks>
/// <param name="charge">The charge for the pieces.</param>
internal sealed class MappedByteQueue(WebSocketCharge charge) : IDisposable
{
    private const int SmallestPiece = 64 << 10;
    private const int LargestPiece = 1 << 20;

    private readonly Queue<MappedMemory> _pieces = new();
    private MappedMemory? _last;
    private int _lastLength;
    private int _filled;            // in the last piece
    private int _read;              // from the first piece
    private long _counted;

    /// <summary>The number of bytes in the queue.</summary>
    public long Length { get; private set; }

    /// <summary>Returns the memory for the next bytes. Returns <see langword="false"/> if the account has no room left.</summary>
    public bool TryGetRoom(out Memory<byte> room)
    {
        if (_last is null || _filled == _lastLength)
        {
            room = default;
            var length = (int)Math.Clamp(Length, SmallestPiece, LargestPiece);
            if (!charge.TryGrow(length)) { return false; }
            _last = new MappedMemory(_lastLength = length);
            _pieces.Enqueue(_last);
            _filled = 0;
            _counted += length;
        }
        room = _last.Memory[_filled..];
        return true;
    }

    /// <summary>Adds the bytes that were written to the memory of <see cref="TryGetRoom"/>.</summary>
    public void Advance(int count)
    {
        _filled += count;
        Length += count;
    }

    /// <summary>Reads and removes bytes from the front. Returns their number.</summary>
    public int Read(Span<byte> buffer)
    {
        var done = 0;
        while (done < buffer.Length && Length > 0)
        {
            var first = _pieces.Peek().GetSpan()[_read..];
            var count = (int)Math.Min(Math.Min(first.Length, buffer.Length - done), Length);
            first[..count].CopyTo(buffer[done..]);
            done += count;
            _read += count;
            Length -= count;
            if (count == first.Length) { ReleaseFirst(); }
        }
        if (Length == 0) { Dispose(); }
        return done;
    }

    public void Dispose()
    {
        while (_pieces.Count > 0) { ReleaseFirst(); }
        (_last, _filled, Length) = (null, 0, 0);
        charge.Shrink(_counted);
        _counted = 0;
    }

    private void ReleaseFirst()
    {
        var piece = _pieces.Dequeue();
        var length = piece.Memory.Length;
        _read = 0;
        _counted -= length;
        charge.Shrink(length);
        ((IDisposable)piece).Dispose();
    }
}
