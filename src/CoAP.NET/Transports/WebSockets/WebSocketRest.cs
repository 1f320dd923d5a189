namespace CoAP.Transports;

/// <summary>What a large message of a WebSocket has behind its start, while it is not whole.</summary>
/// <remarks>
/// A WebSocket does not tell how long a message will be, so there can be no array of its size. The pieces are taken apart again from the front, each
/// gone when it was read: so what is kept here and what was read already are together never much more than the message.
/// </remarks>
internal sealed class WebSocketRest(StreamBudget budget) : IDisposable
{
    private const int SmallestPiece = 64 << 10;
    private const int LargestPiece = 1 << 20;

    private readonly Queue<MappedMemory> _pieces = new();
    private MappedMemory? _last;
    private int _lastLength;
    private int _filled;            // of the last piece
    private int _read;              // of the first piece
    private long _counted;

    /// <summary>The bytes that are here.</summary>
    public long Length { get; private set; }

    /// <summary>Where the next bytes go; <see langword="false"/> where the connections of the endpoint hold as much as they may.</summary>
    public bool TryGetRoom(out Memory<byte> room)
    {
        if (_last is null || _filled == _lastLength)
        {
            room = default;
            var length = (int)Math.Clamp(Length, SmallestPiece, LargestPiece);
            // Others that hold as much must not be the reason why the only one does not go on.
            if (budget.Used > _counted && budget.Used + length > budget.Limit) { return false; }
            _last = new MappedMemory(_lastLength = length);
            _pieces.Enqueue(_last);
            _filled = 0;
            _counted += length;
            budget.Add(length);
        }
        room = _last.Memory[_filled..];
        return true;
    }

    public void Advance(int count)
    {
        _filled += count;
        Length += count;
    }

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
            if (count == first.Length) { LetGoFirst(); }
        }
        if (Length == 0) { Dispose(); }
        return done;
    }

    public void Dispose()
    {
        while (_pieces.Count > 0) { LetGoFirst(); }
        (_last, _filled, Length) = (null, 0, 0);
        budget.Remove(_counted);
        _counted = 0;
    }

    private void LetGoFirst()
    {
        var piece = _pieces.Dequeue();
        var length = piece.Memory.Length;
        _read = 0;
        _counted -= length;
        budget.Remove(length);
        ((IDisposable)piece).Dispose();
    }
}
