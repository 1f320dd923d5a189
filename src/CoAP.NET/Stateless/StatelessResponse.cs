namespace CoAP;

/// <summary>The response to a stateless request (RFC 8974, section 3).</summary>
public readonly struct StatelessResponse
{
    internal StatelessResponse(PeerIdentity peer, ReadOnlyMemory<byte> state, CoapResponse response) => (Peer, State, Response) = (peer, state, response);

    /// <summary>The peer that responded, which is the peer that the request was sent to.</summary>
    public PeerIdentity Peer { get; }

    /// <summary>The state that the token of the request carried.</summary>
    public ReadOnlyMemory<byte> State { get; }

    /// <summary>The response.</summary>
    public CoapResponse Response { get; }
}
