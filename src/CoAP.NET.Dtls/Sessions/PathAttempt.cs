namespace CoAP.Dtls;

/// <summary>A new address of a peer that the peer has not proven yet.</summary>
/// <param name="address">The address.</param>
internal sealed class PathAttempt(in ChannelKey address)
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

    /// <summary>Keeps a copy of a record that exceeds the allowance.</summary>
    public void Hold(ReadOnlySpan<byte> record)
    {
        if (_held.Count == MostHeld) { _held.Dequeue(); }
        _held.Enqueue(record.ToArray());
    }
}
