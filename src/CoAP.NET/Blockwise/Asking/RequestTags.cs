using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>Tells apart request bodies that are sent to the same resource at the same time (RFC 9175, sections 3.4 and 3.5.2).</summary>
/// <remarks>
/// The first body has no Request-Tag. Each further body gets the shortest unused value. A value can be reused when its operation has ended:
/// blocks are sent in order and one at a time, so a late block cannot start a new body.
/// </remarks>
internal sealed class RequestTags
{
    private readonly Dictionary<Operation, SortedSet<int>> _inUse = [];

    /// <summary>The parts of a request that make two operations matchable (RFC 9175, section 1.1).</summary>
    public readonly record struct Operation(PeerIdentity Peer, PeerIdentity Local, CoapCode Method, OptionSet Options) : ISeededKey
    {
        public override int GetHashCode() => SeededHash.Combine(Peer.GetHashCode(), Options.GetHashCode());
    }

    /// <summary>The number of operations with a value in use.</summary>
    public int Count => _inUse.Count;

    /// <summary>Takes the lowest free value; 0 stands for no tag.</summary>
    public int Take(in Operation operation)
    {
        if (!_inUse.TryGetValue(operation, out var values)) { _inUse[operation] = values = []; }
        var free = 0;
        foreach (var value in values)
        {
            if (value > free) { break; }
            free++;
        }
        values.Add(free);
        return free;
    }

    /// <summary>Frees a value.</summary>
    public void Return(in Operation operation, int value)
    {
        if (!_inUse.TryGetValue(operation, out var values)) { return; }
        values.Remove(value);
        if (values.Count == 0) { _inUse.Remove(operation); }
    }

    /// <summary>Returns the option for a value: none for 0, an empty one for 1, one byte for 2 to 257, then four bytes.</summary>
    public static RequestTag? OptionOf(int value) => value switch
    {
        0 => null,
        1 => new RequestTag(ReadOnlyMemory<byte>.Empty),
        <= 257 => new RequestTag(new[] { (byte)(value - 2) }),
        _ => new RequestTag(BitConverter.GetBytes(value)),
    };
}
