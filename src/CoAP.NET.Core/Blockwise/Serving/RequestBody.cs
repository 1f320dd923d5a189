using CoAP.Accounting;
using CoAP.Reliability;

namespace CoAP.Blockwise;

/// <summary>A request body that is being received. Its memory grows with the blocks that arrive, regardless of the announced size.</summary>
internal sealed class RequestBody(in BodyKey key, BodyBudget budget, BodyLimits limits) : IDeadline
{
    private const int LeastCapacity = 256;

    private byte[] _bytes = [];

    public BodyKey Key { get; } = key;

    public BlockSequence Sequence { get; } = new();

    public long Deadline { get; set; }

    public int QueueIndex { get; set; }

    /// <summary>The size of the largest body in bytes.</summary>
    public int MaxSize { get; } = budget.LargestBody(key);

    public ReadOnlyMemory<byte> Bytes => _bytes.AsMemory(0, (int)Sequence.Received);

    private long Overhead => limits.OverheadOf(Key.Operation.Length);

    /// <summary>Takes the overhead of the body from the budget. Returns <see langword="false"/> if it is not available.</summary>
    public bool TryOpen() => budget.TryTake(Key.Account, Overhead);

    /// <summary>Adds a block. Returns <see langword="false"/> if the budget is exhausted.</summary>
    public bool TryAppend(ReadOnlyMemory<byte> payload)
    {
        var received = (int)Sequence.Received;
        if (!TryReserve(received + payload.Length)) { return false; }
        payload.CopyTo(_bytes.AsMemory(received));
        // A copy, because the payload would keep the whole datagram alive.
        Sequence.Take(_bytes.AsMemory(received, payload.Length));
        return true;
    }

    /// <summary>Returns the bytes to the budget.</summary>
    public void Release()
    {
        budget.Give(Key.Account, _bytes.Length + Overhead);
        budget.Close(Key.Peer);
    }

    /// <summary>Releases the part of the charge that the complete body does not need. Returns the charge for the rest; <see langword="null"/> if it is small.</summary>
    public BodyCharge? HandOver()
    {
        budget.Give(Key.Account, Overhead);
        budget.Close(Key.Peer);
        return budget.HandOver(Key.Account, _bytes.Length);
    }

    private bool TryReserve(int size)
    {
        if (size <= _bytes.Length) { return true; }
        var capacity = (int)Math.Max(size, Math.Min(Math.Max(LeastCapacity, 2L * _bytes.Length), MaxSize));
        if (!budget.TryTake(Key.Account, capacity - _bytes.Length)) { return false; }
        Array.Resize(ref _bytes, capacity);
        return true;
    }
}
