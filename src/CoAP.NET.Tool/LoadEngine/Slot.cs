namespace CoAP.Tool.LoadEngine;

/// <summary>The place of one request without an answer.</summary>
internal struct Slot
{
    /// <summary>The due time (open loop), or the time of sending; 0 before.</summary>
    public long Since;

    /// <summary>The time of sending; 0 before.</summary>
    public long SentAt;

    /// <summary>The time at which the request is sent again.</summary>
    public long ResendAt;

    /// <summary>The time between the last transmission and the next one.</summary>
    public long ResendWait;

    /// <summary>The number of retransmissions.</summary>
    public int Resends;

    public ulong Token;
    public uint Generation;

    /// <summary>The socket or connection.</summary>
    public int Peer;

    public ushort MessageId;
    public bool IsBusy, IsQueued, IsAcknowledged;

    /// <summary>Whether the request belongs to the measured time.</summary>
    public bool IsMeasured;
}
