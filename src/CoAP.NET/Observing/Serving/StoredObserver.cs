namespace CoAP;

/// <summary>An observation as it is kept over a restart of the server: who observes, and the request that says what.</summary>
public sealed record StoredObserver
{
    /// <summary>The client.</summary>
    public required PeerIdentity Peer { get; init; }

    /// <summary>The address of ours that it talks to.</summary>
    public required PeerIdentity Local { get; init; }

    /// <summary>The token of its notifications.</summary>
    public required Token Token { get; init; }

    /// <summary>The request that registered it, in the form of datagrams (RFC 7252, section 3).</summary>
    public required ReadOnlyMemory<byte> Request { get; init; }

    /// <summary>No notification has a higher number than this one; it is renewed before one would.</summary>
    public required long Number { get; init; }
}
