using CoAP.Reliability;

namespace CoAP.Blockwise;

/// <summary>A request's body that is being collected. Its memory grows as blocks arrive, whatever size was announced.</summary>
internal sealed class RequestBody(in BodyKey key, BodyBudget budget, BodyLimits limits) : IDeadline
{
    private const int LeastCapacity = 256;

    private byte[] _bytes = [];

    public BodyKey Key { get; } = key;

    public BlockSequence Sequence { get; } = new();

    public long Deadline { get; set; }

    public int QueueIndex { get; set; }

    public ReadOnlyMemory<byte> Bytes => _bytes.AsMemory(0, (int)Sequence.Received);

    private long Overhead => limits.CostBeside(Key.Length);

    /// <summary>Takes what it counts besides its bytes; <see langword="false"/> where the lane has no bytes left.</summary>
    public bool TryOpen() => budget.TryTake(Overhead);

    /// <summary>Adds a block; <see langword="false"/> where the lane has no bytes left.</summary>
    public bool TryAppend(ReadOnlyMemory<byte> payload)
    {
        var received = (int)Sequence.Received;
        if (!TryReserve(received + payload.Length)) { return false; }
        payload.CopyTo(_bytes.AsMemory(received));
        // Not the payload itself, which would keep all of the datagram that it came in.
        Sequence.Take(_bytes.AsMemory(received, payload.Length));
        return true;
    }

    /// <summary>Gives back what was taken of the budget.</summary>
    public void Release()
    {
        budget.Give(_bytes.Length + Overhead);
        budget.Close(Key.Peer);
    }

    private bool TryReserve(int size)
    {
        if (size <= _bytes.Length) { return true; }
        var capacity = (int)Math.Max(size, Math.Min(Math.Max(LeastCapacity, 2L * _bytes.Length), limits.MaxBodySize));
        if (!budget.TryTake(capacity - _bytes.Length)) { return false; }
        Array.Resize(ref _bytes, capacity);
        return true;
    }
}
