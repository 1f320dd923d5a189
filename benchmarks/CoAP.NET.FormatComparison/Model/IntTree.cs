namespace CoAP.FormatComparison.Model;

/// <summary>A node of the integer tree: an integer and its children (source document, section 6.1).</summary>
internal sealed class IntTree(int value, IntTree[] children)
{
    public int Value { get; } = value;

    public IntTree[] Children { get; } = children;

    /// <summary>Returns the number of nodes, this one included.</summary>
    public int CountNodes() => 1 + Children.Sum(static child => child.CountNodes());

    /// <summary>Returns the number of levels.</summary>
    public int CountLevels() => 1 + Children.Select(static child => child.CountLevels()).DefaultIfEmpty().Max();

    /// <summary>Creates a complete tree.</summary>
    public static IntTree Create(RandomSource random, int levels, int breadth)
    {
        var children = levels == 1 ? [] : new IntTree[breadth];
        for (var at = 0; at < children.Length; at++) { children[at] = Create(random, levels - 1, breadth); }
        return new IntTree(random.NextInt32(), children);
    }

    /// <summary>Whether another tree has the same nodes.</summary>
    public bool Matches(IntTree other)
    {
        if (other.Value != Value || other.Children.Length != Children.Length) { return false; }
        for (var at = 0; at < Children.Length; at++)
        {
            if (!Children[at].Matches(other.Children[at])) { return false; }
        }
        return true;
    }
}
