namespace CoAP.Signaling;

/// <summary>Where a connection stands.</summary>
internal enum SignalingState : byte
{
    /// <summary>The peer's CSM has not arrived; base values hold (RFC 8323, section 5.3).</summary>
    AwaitingCsm,

    /// <summary>Both sides may do anything.</summary>
    Open,

    /// <summary>One side sent a Release: no new requests of ours, what is outstanding ends (RFC 8323, section 5.5).</summary>
    Releasing,

    /// <summary>Nothing is sent or processed any more.</summary>
    Closed,
}
