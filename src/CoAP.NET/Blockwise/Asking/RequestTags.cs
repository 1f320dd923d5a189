using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>Keeps request bodies apart that are on their way to the same resource at the same time (RFC 9175, sections 3.4 and 3.5.2).</summary>
/// <remarks>
/// The first one goes without Request-Tag, each further one with the shortest value that none of the others has. A value is free again when its
/// operation has ended: what came late of it would begin no body anew, because blocks are sent in order, one at a time.
/// </remarks>
internal sealed class RequestTags
{
    private readonly Dictionary<Operation, SortedSet<int>> _inUse = [];

    /// <summary>What makes two operations matchable (RFC 9175, section 1.1).</summary>
    public readonly record struct Operation(PeerIdentity Peer, PeerIdentity Local, CoapCode Method, OptionSet Options);

    public int Count => _inUse.Count;

    /// <summary>Takes a value that is free: 0 is no tag at all.</summary>
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

    public void Return(in Operation operation, int value)
    {
        if (!_inUse.TryGetValue(operation, out var values)) { return; }
        values.Remove(value);
        if (values.Count == 0) { _inUse.Remove(operation); }
    }

    /// <summary>The option of a value: none, an empty one, one of one byte, and so on.</summary>
    public static RequestTag? OptionOf(int value) => value switch
    {
        0 => null,
        1 => new RequestTag(ReadOnlyMemory<byte>.Empty),
        <= 257 => new RequestTag(new[] { (byte)(value - 2) }),
        _ => new RequestTag(BitConverter.GetBytes(value)),
    };
}
