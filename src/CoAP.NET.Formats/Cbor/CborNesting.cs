namespace CoAP.Formats;

/// <summary>The arrays and maps that a reader is inside of, and the tags before them.</summary>
internal struct CborNesting
{
    private const int FirstLevels = 8;

    private Level[]? _levels;
    private int _tags;
    private int _tagsEnd;

    /// <summary>The number of arrays and maps.</summary>
    internal int Count { get; private set; }

    /// <summary>The number of arrays, maps and tags.</summary>
    internal int Depth { get; private set; }

    /// <summary>The innermost array or map.</summary>
    internal readonly ref Level Top => ref _levels![Count - 1];

    /// <summary>The number of bytes that the open arrays and maps still need at least: one for each item to come, and one for each break.</summary>
    internal readonly long Needed => Count > 0 ? Top.Outside + (Top.Remaining < 0 ? 1 : Top.Remaining) : 0;

    internal void Reset()
    {
        Count = Depth = 0;
        _tags = 0;
        _tagsEnd = -1;
    }

    /// <summary>Counts a tag. The tags before an item are known by their place: nothing must be undone after the item.</summary>
    /// <returns>The depth, tags before this item included.</returns>
    internal int AddTag(int start, int end)
    {
        _tags = TagsAt(start) + 1;
        _tagsEnd = end;
        return Depth + _tags;
    }

    /// <summary>Returns the number of tags before the item at a place.</summary>
    internal readonly int TagsAt(int position) => position == _tagsEnd ? _tags : 0;

    /// <summary>Begins an array or map.</summary>
    /// <param name="remaining">The number of items; -1 if it is not announced.</param>
    /// <param name="itemsPerEntry">1 for an array, 2 for a map.</param>
    /// <param name="tags">The number of tags before it.</param>
    internal void Push(long remaining, int itemsPerEntry, int tags)
    {
        var outside = Needed;
        if (_levels is null) { _levels = new Level[FirstLevels]; }
        else if (Count == _levels.Length) { Array.Resize(ref _levels, Count * 2); }
        _levels[Count++] = new Level { Remaining = remaining, Outside = outside, ItemsPerEntry = itemsPerEntry, Tags = tags };
        Depth += 1 + tags;
    }

    /// <summary>Ends the innermost array or map.</summary>
    internal void Pop()
    {
        Depth -= 1 + _levels![Count - 1].Tags;
        Count--;
    }

    /// <summary>One array or map.</summary>
    internal struct Level
    {
        /// <summary>The number of items to come. If it was not announced: -1, less the number of entries read.</summary>
        internal long Remaining;

        /// <summary>The number of bytes that the arrays and maps around it need at least.</summary>
        internal long Outside;

        internal int ItemsPerEntry;
        internal int Tags;

        /// <summary>Whether the next item is the value to a key that was skipped, in a map without a count.</summary>
        internal bool IsAtValue;
    }
}
