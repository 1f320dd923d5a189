namespace CoAP.Load;

/// <summary>The place of one request without answer.</summary>
internal struct Slot
{
    /// <summary>When it was meant to be sent (open loop) or was sent first; 0 before.</summary>
    public long Since;

    /// <summary>When it was sent first; 0 before.</summary>
    public long FirstSentAt;

    /// <summary>When it was sent last; 0 before.</summary>
    public long SentAt;

    public ulong Token;
    public uint Generation;

    /// <summary>Its socket or connection.</summary>
    public int Peer;

    /// <summary>The slot behind it in the queue of its socket, + 1.</summary>
    public int Next;

    public ushort MessageId;
    public byte Repeats;
    public bool IsBusy;
    public bool IsQueued;

    /// <summary>An empty ACK has come: the answer follows in a message of its own (RFC 7252, section 5.2.2).</summary>
    public bool IsAcknowledged;

    /// <summary>It belongs to the time that is measured.</summary>
    public bool IsMeasured;
}
