using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>Tells apart request bodies that are sent to the same resource at the same time (RFC 9175, sections 3.4 and 3.5.2).</summary>
/// <remarks>
/// The first body has no Request-Tag. Each further body gets the shortest unused value. A value can be reused when its operation has ended with a
/// response: blocks are sent in order and one at a time, so no block is under way any more. Otherwise a block that the network has delayed could become
/// a part of the next body, so the value rests (RFC 9175, section 3.5.1).
/// </remarks>
internal sealed class RequestTags
{
    // A server that answers nothing costs a client no more memory.
    private const int MostResting = 1024;

    private readonly Dictionary<Operation, SortedSet<int>> _inUse = [];
    private readonly Queue<(Operation Operation, int Value, long Until)> _resting = new();

    /// <summary>The parts of a request that make two operations matchable (RFC 9175, section 1.1).</summary>
    public readonly record struct Operation(PeerIdentity Peer, PeerIdentity Local, CoapCode Method, OptionSet Options) : ISeededKey
    {
        public override int GetHashCode() => SeededHash.Combine(Peer.GetHashCode(), Options.GetHashCode());
    }

    /// <summary>The number of values that operations use.</summary>
    public int Count { get; private set; }

    /// <summary>Takes the lowest free value; 0 stands for no tag.</summary>
    public int Take(in Operation operation, long now)
    {
        while (_resting.TryPeek(out var first) && first.Until <= now) { Free(_resting.Dequeue()); }
        Count++;
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
        Count--;
        Free((operation, value, 0));
    }

    /// <summary>Frees a value later. Beyond a number of such values, the one that rests longest is freed at once.</summary>
    /// <param name="operation">The operation that has ended without a response.</param>
    /// <param name="value">Its value.</param>
    /// <param name="until">The time after which none of its messages is under way, the same span for all of them.</param>
    public void Rest(in Operation operation, int value, long until)
    {
        Count--;
        if (_resting.Count >= MostResting) { Free(_resting.Dequeue()); }
        _resting.Enqueue((operation, value, until));
    }

    /// <summary>Returns the option for a value: none for 0, an empty one for 1, one byte for 2 to 257, then four bytes.</summary>
    public static RequestTag? OptionOf(int value) => value switch
    {
        0 => null,
        1 => new RequestTag(ReadOnlyMemory<byte>.Empty),
        <= 257 => new RequestTag(new[] { (byte)(value - 2) }),
        _ => new RequestTag(BitConverter.GetBytes(value)),
    };

    private void Free((Operation Operation, int Value, long Until) one)
    {
        var (operation, value, _) = one;
        if (!_inUse.TryGetValue(operation, out var values)) { return; }
        values.Remove(value);
        if (values.Count == 0) { _inUse.Remove(operation); }
    }
}
