namespace CoAP.Load;

/// <summary>The place of one request without an answer.</summary>
internal struct Slot
{
    /// <summary>The due time (open loop), or the time of sending; 0 before.</summary>
    public long Since;

    /// <summary>The time of sending; 0 before.</summary>
    public long SentAt;

    public ulong Token;
    public uint Generation;

    /// <summary>The socket or connection.</summary>
    public int Peer;

    public ushort MessageId;
    public bool IsBusy;

    /// <summary>Whether the request belongs to the measured time.</summary>
    public bool IsMeasured;
}
