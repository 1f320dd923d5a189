namespace CoAP.Formats;

/// <summary>A position in a payload with the arrays and maps around it: everything about CBOR but the meaning of values.</summary>
internal struct CborCursor
{
    internal CborInput Input;
    internal CborNesting Nesting;
    internal CborSpending Spending;

    internal void Reset(ReadOnlyMemory<byte> payload, PayloadLimits limits)
    {
        Input.Reset(payload, limits);
        Nesting.Reset();
        Spending.Stop();
    }

    /// <summary>Reads the number of a tag.</summary>
    internal ulong ReadTag()
    {
        var at = Input.Position;
        var initial = Input.Initial();
        if ((initial & 0xe0) != CborMajor.Tag) { throw Mismatch("a tag", initial); }
        var tag = Input.ReadArgument(initial);
        CheckDepth(Nesting.AddTag(at, Input.Position));
        return tag;
    }

    /// <summary>Skips tags, and returns the initial byte of the item after them.</summary>
    internal byte SkipTags()
    {
        while (true)
        {
            var initial = Input.Initial();
            if ((initial & 0xe0) != CborMajor.Tag) { return initial; }
            ReadTag();
        }
    }

    /// <summary>Skips tags, and returns the initial byte of the item after them, which must have a major type.</summary>
    internal byte Expect(int major, string what)
    {
        var initial = SkipTags();
        return (initial & 0xe0) == major ? initial : throw Mismatch(what, initial);
    }

    /// <summary>Reads null or "undefined", with the tags before it. Reads nothing if the next item is another one.</summary>
    internal bool TryReadTaggedNull(bool isNullWanted)
    {
        var at = Input.Position;
        var nesting = Nesting;
        if (SkipTags() is var initial && (initial == CborMajor.Undefined || (isNullWanted && initial == CborMajor.Null)))
        {
            Input.Position++;
            return true;
        }
        Nesting = nesting;
        Input.Position = at;
        return false;
    }

    /// <summary>Begins an array (one item per entry) or a map (two).</summary>
    internal int? Start(byte initial, int itemsPerEntry)
    {
        var tags = Nesting.TagsAt(Input.Position);
        CheckDepth(Nesting.Depth + tags + 1);
        Spend(CborSpending.Collection);
        if ((initial & 0x1f) == CborMajor.Indefinite)
        {
            Input.Position++;
            Nesting.Push(-1, itemsPerEntry, tags);
            return null;
        }
        var count = Input.ReadCount(initial, itemsPerEntry, Nesting.Needed);
        Nesting.Push((long)count * itemsPerEntry, itemsPerEntry, tags);
        return count;
    }

    /// <summary>Moves to the next item of an array or key of a map, or outside of them, to the next item if there is one.</summary>
    internal bool MoveNext()
    {
        if (Nesting.Count == 0) { return Input.Left > 0; }
        ref var top = ref Nesting.Top;
        if (top.Remaining > 0)
        {
            top.Remaining -= top.ItemsPerEntry;
            return true;
        }
        if (top.Remaining < 0)
        {
            if (Input.Initial() != CborMajor.Break)
            {
                if (-top.Remaining > Input.Limits.MaxCount) { throw Input.TooMany(top.ItemsPerEntry, (ulong)-top.Remaining); }
                top.Remaining--;
                return true;
            }
            Input.Position++;
        }
        Nesting.Pop();
        return false;
    }

    /// <summary>Skips an item with all items inside, without recursion.</summary>
    internal void Skip()
    {
        var outside = Nesting.Count;
        SkipOne();
        while (Nesting.Count > outside)
        {
            if (MoveToItem()) { SkipOne(); }
        }
    }

    /// <summary>Reads integers of the innermost array that are complete and in a usual form. 0 says nothing about the next item.</summary>
    internal int TakeInt32s(Span<int> values)
    {
        if (Nesting.Count == 0 || Nesting.Top.ItemsPerEntry != 1) { return 0; }
        ref var top = ref Nesting.Top;
        var most = Math.Min(values.Length, top.Remaining >= 0 ? top.Remaining : Input.Limits.MaxCount + top.Remaining + 1);
        var taken = CborIntegers.Take(ref Input, values[..(int)most]);
        top.Remaining -= taken;
        return taken;
    }

    /// <summary>Counts memory that a value is about to take.</summary>
    internal void Spend(long bytes)
    {
        if (!Spending.TrySpend(bytes, Input.Limits.MaxMemory)) { throw Input.Limits.TooMuchMemory(Input.Offset); }
    }

    internal readonly CoapPayloadException Mismatch(string expected, byte initial) =>
        Input.Error($"Expected {expected}; found {CborMajor.NameOf(initial)}");

    // The next item of any kind: in a map, keys and values are counted one by one.
    private bool MoveToItem()
    {
        ref var top = ref Nesting.Top;
        if (top.Remaining > 0)
        {
            top.Remaining--;
            return true;
        }
        if (top.IsAtValue)
        {
            top.IsAtValue = false;
            return true;
        }
        top.IsAtValue = top.ItemsPerEntry == 2;
        return MoveNext();
    }

    private void SkipOne()
    {
        var initial = SkipTags();
        switch (initial & 0xe0)
        {
            case CborMajor.Unsigned or CborMajor.Negative: Input.ReadArgument(initial); break;
            case CborMajor.Bytes or CborMajor.Text: Input.SkipString(initial); break;
            case CborMajor.Array: Start(initial, 1); break;
            case CborMajor.Map: Start(initial, 2); break;
            default: Input.ReadSimple(initial); break;
        }
    }

    private readonly void CheckDepth(int depth)
    {
        if (depth > Input.Limits.MaxDepth)
        {
            throw Input.Error($"{depth} arrays, maps and tags are inside one another; at most {Input.Limits.MaxDepth} are allowed");
        }
    }
}
