namespace CoAP.Formats;

/// <summary>The arrays and maps that a reader is in, and how many items each still has.</summary>
internal struct MessagePackNesting
{
    private const int FirstRoom = 8;

    private (int Left, long Outside)[]? _outer;
    private long _outside;

    /// <summary>
    /// The number of items that the innermost array or map still has. An entry of a map has two. Not positive outside of arrays and maps.
    /// </summary>
    internal int Left;

    /// <summary>The number of arrays and maps.</summary>
    internal int Depth { get; private set; }

    /// <summary>Whether the innermost array or map has no further item.</summary>
    internal readonly bool IsAtEnd => Left <= 0 && Depth > 0;

    /// <summary>The number of items that the payload still needs at least. Each has at least one byte.</summary>
    internal readonly long Needed => Depth > 0 ? _outside + Left : 0;

    /// <summary>Whether no array or map has any items left.</summary>
    internal readonly bool IsComplete => Needed == 0;

    internal void Reset() => (Depth, Left, _outside) = (0, 0, 0);

    /// <summary>Enters an array or map, which is an item of the innermost one.</summary>
    internal void Enter(int items)
    {
        Left--;
        if (_outer is null) { _outer = new (int, long)[FirstRoom]; }
        else if (Depth == _outer.Length) { Array.Resize(ref _outer, 2 * Depth); }
        var outside = Needed;
        _outer[Depth++] = (Left, _outside);
        (Left, _outside) = (items, outside);
    }

    /// <summary>Leaves the innermost array or map, which has no further items.</summary>
    internal void Leave() => (Left, _outside) = _outer![--Depth];
}
