namespace CoAP;

/// <summary>A response to a request of which nothing was kept (RFC 8974, section 3).</summary>
public readonly struct StatelessResponse
{
    internal StatelessResponse(PeerIdentity peer, ReadOnlyMemory<byte> state, CoapResponse response) => (Peer, State, Response) = (peer, state, response);

    /// <summary>Who answered: the one whom the request was sent to.</summary>
    public PeerIdentity Peer { get; }

    /// <summary>What was put into the token of the request.</summary>
    public ReadOnlyMemory<byte> State { get; }

    /// <summary>The response.</summary>
    public CoapResponse Response { get; }
}
