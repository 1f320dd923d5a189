using System.Buffers.Binary;
using System.Security.Cryptography;

namespace CoAP.Resources;

/// <summary>
/// Maps the bytes of a literal segment to its node. Immutable. A change copies the slots on its path and shares all others.
/// </summary>
/// <remarks>A trie over four bits of the hash per level. Adding a segment costs about the same however many there are.</remarks>
internal sealed class LiteralTable
{
    private const int BitsPerLevel = 4;
    private const int Fan = 1 << BitsPerLevel;

    // Some servers map names that clients choose. With a secret key, a client cannot choose names with equal hashes.
    private static readonly ulong Key = BinaryPrimitives.ReadUInt64LittleEndian(RandomNumberGenerator.GetBytes(sizeof(ulong)));

    private readonly Slot[] _slots;

    private LiteralTable(Slot[] slots, int count) => (_slots, Count) = (slots, count);

    public static LiteralTable Empty { get; } = new(new Slot[Fan], 0);

    public int Count { get; }

    public RouteNode? Find(ReadOnlySpan<byte> segment)
    {
        if (Count == 0) { return null; }
        var hash = Hash(segment);
        var rest = hash;
        ref var slot = ref _slots[rest & (Fan - 1)];
        while (slot.Deeper is not null)
        {
            rest >>= BitsPerLevel;
            slot = ref slot.Deeper[rest & (Fan - 1)];
        }
        for (var entry = slot.Entry; entry is not null; entry = entry.Next)
        {
            if (segment.SequenceEqual(entry.Segment)) { return entry.Node; }
        }
        return null;
    }

    /// <summary>Returns a table with a node for the segment, or without the segment if the node is <see langword="null"/>.</summary>
    public LiteralTable With(byte[] segment, RouteNode? node)
    {
        var hash = Hash(segment);
        var had = Find(segment) is not null;
        if (!had && node is null) { return this; }
        var slots = Change(_slots, hash, shift: 0, segment, node);
        var count = Count + (node is null ? -1 : had ? 0 : 1);
        return count == 0 ? Empty : new(slots, count);
    }

    /// <summary>Calls an action for each node, in no particular order.</summary>
    public void Visit(Action<RouteNode> visit) => Visit(_slots, visit);

    private static Slot[] Change(Slot[] slots, uint hash, int shift, byte[] segment, RouteNode? node)
    {
        var changed = (Slot[])slots.Clone();
        ref var slot = ref changed[(hash >> shift) & (Fan - 1)];
        if (slot.Deeper is not null) { slot.Deeper = Change(slot.Deeper, hash, shift + BitsPerLevel, segment, node); }
        else if (slot.Entry is null || slot.Entry.Hash == hash || node is null)
        {
            var others = Without(slot.Entry, segment);
            slot.Entry = node is null ? others : new(hash, segment, node, others);
        }
        else
        {
            // Two hashes share a slot. The existing chain, which has one hash, moves down one level, and the new entry follows it.
            var deeper = new Slot[Fan];
            deeper[(slot.Entry.Hash >> (shift + BitsPerLevel)) & (Fan - 1)].Entry = slot.Entry;
            slot = new() { Deeper = Change(deeper, hash, shift + BitsPerLevel, segment, node) };
        }
        return changed;
    }

    private static Entry? Without(Entry? chain, byte[] segment)
    {
        if (chain is null) { return null; }
        if (chain.Segment.AsSpan().SequenceEqual(segment)) { return chain.Next; }
        return new(chain.Hash, chain.Segment, chain.Node, Without(chain.Next, segment));
    }

    private static void Visit(Slot[] slots, Action<RouteNode> visit)
    {
        foreach (var slot in slots)
        {
            if (slot.Deeper is not null) { Visit(slot.Deeper, visit); }
            for (var entry = slot.Entry; entry is not null; entry = entry.Next) { visit(entry.Node); }
        }
    }

    private static uint Hash(ReadOnlySpan<byte> segment)
    {
        var hash = Key ^ (uint)segment.Length;
        for (; segment.Length >= sizeof(ulong); segment = segment[sizeof(ulong)..])
        {
            hash = Fold(hash ^ BinaryPrimitives.ReadUInt64LittleEndian(segment));
        }
        var tail = 0UL;
        foreach (var octet in segment) { tail = (tail << 8) | octet; }
        hash = Fold(hash ^ tail);
        return (uint)(hash ^ (hash >> 32));
    }

    private static ulong Fold(ulong value)
    {
        var high = Math.BigMul(value, 0x9E37_79B9_7F4A_7C15, out var low);
        return (high ^ low) + Key;
    }

    private struct Slot
    {
        public Entry? Entry;
        public Slot[]? Deeper;
    }

    private sealed class Entry(uint hash, byte[] segment, RouteNode node, Entry? next)
    {
        public readonly uint Hash = hash;
        public readonly byte[] Segment = segment;
        public readonly RouteNode Node = node;
        public readonly Entry? Next = next;
    }
}
