namespace CoAP.Signaling;

/// <summary>The state of a connection.</summary>
internal enum SignalingState : byte
{
    /// <summary>The CSM of the peer has not arrived; base values apply (RFC 8323, section 5.3).</summary>
    AwaitingCsm,

    /// <summary>Both sides may send.</summary>
    Open,

    /// <summary>One side has sent a Release: we send no new requests, and outstanding ones end (RFC 8323, section 5.5).</summary>
    Releasing,

    /// <summary>Nothing more is sent or processed.</summary>
    Closed,
}
