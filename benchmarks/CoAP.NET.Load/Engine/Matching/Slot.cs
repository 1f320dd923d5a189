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

    /// <summary>The next slot in the queue of its socket, + 1.</summary>
    public int Next;

    public ushort MessageId;
    public bool IsBusy;
    public bool IsQueued;

    /// <summary>Whether the request belongs to the measured time.</summary>
    public bool IsMeasured;
}
