namespace CoAP.Dtls;

/// <summary>A peer with a session. Its identity stays the same when its address changes.</summary>
/// <param name="identity">The identity, and the local address of its messages.</param>
/// <param name="address">The address.</param>
/// <param name="session">The session.</param>
internal sealed class SecuredPeer(in ChannelKey identity, in ChannelKey address, DtlsSession session)
{
    private PeerPath _path = new(address);

    public ChannelKey Identity { get; } = identity;

    public DtlsSession Session => session;

    /// <summary>The addresses that datagrams are sent to. A mutable structure.</summary>
    public ref PeerPath Path => ref _path;

    /// <summary>The address that the table knows the peer by, because its records have no connection ID.</summary>
    public ChannelKey Address { get; } = address;

    public PeerCredentials? Credentials { get; init; }

    /// <summary>The charge for the session; <see langword="null"/> on a client.</summary>
    public LedgerCharge? Charge { get; init; }

    /// <summary>The messages of a client; <see langword="null"/> on a server.</summary>
    public SentMessages? Sent { get; init; }

    /// <summary>The messages of the session before this one; <see langword="null"/> on a server, or if there was none.</summary>
    public SentMessages? Former { get; init; }

    /// <summary>The handshake of a server whose last flight may have to be repeated; <see langword="null"/> once the client has sent data.</summary>
    public HandshakeMachine? LastFlight { get; set; }

    /// <summary>The time at which the proof of the address was last recorded; <see langword="null"/> while the peer has not proven its address.</summary>
    public TimeSpan? VerifiedAt { get; set; }

    /// <summary>The time of the last record.</summary>
    public TimeSpan HeardAt { get; set; }

    /// <summary>The neighbors in the order of the last records.</summary>
    public SecuredPeer? Before { get; set; }

    public SecuredPeer? Behind { get; set; }

    /// <summary>The neighbors in the order in which the sessions of the account began.</summary>
    public SecuredPeer? Older { get; set; }

    public SecuredPeer? Newer { get; set; }
}
