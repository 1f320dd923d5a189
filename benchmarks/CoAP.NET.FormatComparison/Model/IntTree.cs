using MessagePack;
using ProtoBuf;

namespace CoAP.FormatComparison.Model;

/// <summary>A node of the integer tree: an integer and its children (source document, section 6.1).</summary>
/// <remarks>The attributes are those of the package MessagePack and of protobuf-net.</remarks>
[MessagePackObject]
[ProtoContract]
public sealed class IntTree
{
    public IntTree(int value, IntTree[] children) => (Value, Children) = (value, children);

    // protobuf-net creates an object first and then sets its members.
    private IntTree() => Children = [];

    [Key(0)]
    [ProtoMember(1, DataFormat = DataFormat.ZigZag)]
    public int Value { get; private set; }

    [Key(1)]
    [ProtoMember(2)]
    public IntTree[] Children { get; private set; }

    /// <summary>Returns the number of nodes, this one included.</summary>
    public int CountNodes() => 1 + Children.Sum(static child => child.CountNodes());

    /// <summary>Returns the number of levels.</summary>
    public int CountLevels() => 1 + Children.Select(static child => child.CountLevels()).DefaultIfEmpty().Max();

    /// <summary>Creates a complete tree.</summary>
    internal static IntTree Create(RandomSource random, int levels, int breadth)
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
