namespace CoAP.Dtls;

/// <summary>A new address of a peer that the peer has not proven yet.</summary>
/// <param name="address">The address.</param>
/// <param name="budget">The memory for records, which all new addresses of the lane share.</param>
internal sealed class PathAttempt(in ChannelKey address, HeldRecordBudget budget)
{
    private const int MostHeld = 4;

    private readonly Queue<byte[]> _held = [];

    public ChannelKey Address { get; } = address;

    /// <summary>The number of bytes that may still be sent to the address.</summary>
    public long Allowance { get; set; }

    /// <summary>The time of the last record from the address.</summary>
    public TimeSpan HeardAt { get; set; }

    /// <summary>What was sent to the address, and only there, to find out whether the peer receives it.</summary>
    public FreshnessChallenge Challenge { get; } = new();

    /// <summary>The last records that exceeded the allowance. They are sent when the peer has proven the address (RFC 9853, section 5).</summary>
    public IReadOnlyCollection<byte[]> Held => _held;

    /// <summary>Keeps a copy of a record that exceeds the allowance. Does nothing if the lane has no room for it.</summary>
    public void Hold(ReadOnlySpan<byte> record)
    {
        var isFull = _held.Count == MostHeld;
        var freed = isFull ? HeldRecordBudget.CostOf(_held.Peek().Length) : 0;
        if (!budget.TryTake(HeldRecordBudget.CostOf(record.Length) - freed)) { return; }
        if (isFull) { _held.Dequeue(); }
        _held.Enqueue(record.ToArray());
    }

    /// <summary>Drops the records. Must be called when the attempt ends, because it returns their memory to the lane.</summary>
    public void DropHeld()
    {
        foreach (var record in _held) { budget.Return(HeldRecordBudget.CostOf(record.Length)); }
        _held.Clear();
    }
}
