namespace CoAP.Serialization;

/// <summary>The bytes of an incomplete message. Their memory grows with the bytes that have arrived.</summary>
/// <remarks>
/// A message of known length grows in one array (<see cref="SizeFor"/>, <see cref="Grow"/>). A message that ends with its source is collected in
/// chunks (<see cref="ExtendBy"/>), which cost one copy in the end.
/// </remarks>
internal struct PartialMessage
{
    // A message up to this size gets its array at once; a larger one starts with an array of this size.
    private const int First = 2048;
    private const int HeaderRoom = 16;

    // A larger part no longer grows: the array of the whole message costs less.
    private const int PartsOfWhole = 128;
    private const int LargestPart = 256 << 10;

    private const int FirstChunk = 4096;
    private const int LargestChunk = 1 << 24;

    private List<byte[]>? _full;    // chunks before the current one
    private byte[]? _current;
    private long _before;           // the bytes in full chunks
    private int _filled;            // the bytes in the current chunk

    /// <summary>The number of bytes that have arrived.</summary>
    public readonly long Length => _before + _filled;

    /// <summary>The bytes that have arrived, if they are in one array.</summary>
    public readonly ReadOnlySpan<byte> Start => _current.AsSpan(0, _filled);

    private readonly int Room => _current?.Length ?? 0;

    /// <summary>Returns the free part of the memory, up to the goal.</summary>
    public readonly ArraySegment<byte> GetFree(long goal) => new(_current!, _filled, FreeLength(goal));

    /// <summary>Counts bytes that were written to the free part.</summary>
    /// <exception cref="IOException">A stream returned a number of bytes that it cannot have read.</exception>
    public void Advance(int count, long goal)
    {
        if ((uint)count > (uint)FreeLength(goal)) { ThrowReadError(count, FreeLength(goal)); }
        _filled += count;
    }

    /// <summary>Returns the size of the array that the available bytes need, or 0 if the current array is large enough.</summary>
    /// <param name="known">The number of bytes that are known to be available; at least one is assumed.</param>
    /// <param name="goal">The length of the complete message or header.</param>
    /// <param name="isShared">Whether many peers share the memory. If not, a message of moderate size gets its array early.</param>
    public readonly long SizeFor(long known, long goal, bool isShared)
    {
        var least = Math.Min(goal, Length + Math.Max(known, 1));
        return least <= Room ? 0 : SizeFrom(least, goal, isShared);
    }

    /// <summary>Moves the bytes to a larger array.</summary>
    /// <exception cref="OutOfMemoryException">Memory is exhausted.</exception>
    public void Grow(long size)
    {
        var grown = GC.AllocateUninitializedArray<byte>(checked((int)size));
        Start.CopyTo(grown);
        _current = grown;
    }

    /// <summary>Makes room in a message of unknown length.</summary>
    /// <param name="known">The number of bytes that the source is known to have left, or a negative number.</param>
    public void ExtendBy(long known)
    {
        if (_filled < Room) { return; }
        if (_current is not null) { (_full ??= []).Add(_current); }
        // A source that knew its length has probably ended. One more read shows whether it has.
        var size = known >= 0 ? Math.Max(known, HeaderRoom) : Math.Clamp(Length, FirstChunk, LargestChunk);
        _current = GC.AllocateUninitializedArray<byte>((int)Math.Min(size, Array.MaxLength));
        (_before, _filled) = (_before + _filled, 0);
    }

    /// <summary>Returns all bytes in one array of exactly their length.</summary>
    public readonly byte[] ToArray()
    {
        if (_full is null && Room == Length) { return _current ?? []; }
        if (_full is [var only] && only.Length == Length) { return only; }
        var exact = GC.AllocateUninitializedArray<byte>((int)Length);
        var position = 0;
        for (var i = 0; i < _full?.Count; i++)
        {
            _full[i].CopyTo(exact, position);
            position += _full[i].Length;
            _full[i] = [];
        }
        Start.CopyTo(exact.AsSpan(position));
        return exact;
    }

    private readonly int FreeLength(long goal) => (int)Math.Min(Room - _filled, goal - Length);

    private static void ThrowReadError(int count, int room) => throw new IOException($"A read of up to {room} bytes returned {count}.");

    private readonly long SizeFrom(long least, long goal, bool isShared)
    {
        if (goal <= HeaderRoom) { return HeaderRoom; }
        if (!isShared && Room >= First && goal <= LargestPart) { return goal; }
        var size = goal <= First ? goal : Math.Max(Math.Max(least, 2L * Room), First);
        // A size slightly above a power of two would otherwise cost two arrays of nearly the same size.
        return size >= goal - (goal / 8) || size > Math.Max(LargestPart, goal / PartsOfWhole) ? goal : size;
    }
}
