namespace CoAP.Transports;

/// <summary>A bound UDP socket that can send.</summary>
internal interface IUdpSource
{
    /// <summary>The port that the socket is bound to.</summary>
    int Port { get; }

    /// <summary>Whether the socket can send to the address family of the peer.</summary>
    bool CanReach(in PeerIdentity peer);

    /// <summary>Whether the socket can send from the local address.</summary>
    bool IsBoundTo(in PeerIdentity local);
}
