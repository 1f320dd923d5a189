namespace CoAP.Dtls;

/// <summary>A peer with a session. Its identity stays the same when its address changes.</summary>
/// <param name="identity">The identity, and the local address of its messages.</param>
/// <param name="address">The address.</param>
/// <param name="session">The session.</param>
internal sealed class SecuredPeer(in ChannelKey identity, in ChannelKey address, DtlsSession session)
{
    private const int LeastMessage = 64;        // however long the ID of the peer is

    private PeerPath _path = new(address);

    public ChannelKey Identity { get; } = identity;

    /// <summary>Whether the peer is a client, so that this side is the server.</summary>
    public bool IsClient => Sent is null;

    public DtlsSession Session => session;

    /// <summary>The addresses that datagrams are sent to. A mutable structure.</summary>
    public ref PeerPath Path => ref _path;

    /// <summary>The address at which the session began. A peer whose records have no connection ID keeps it.</summary>
    public ChannelKey Address => new(PeerNames.AddressOf(Identity.Peer), Identity.Local);

    public PeerCredentials? Credentials { get; init; }

    /// <summary>The charge for the session; <see langword="null"/> on a client.</summary>
    public LedgerCharge? Charge { get; init; }

    /// <summary>The messages of a client in this session and earlier ones with the server; <see langword="null"/> on a server.</summary>
    public SentMessages? Sent { get; init; }

    /// <summary>The ID by which a client can resume the session; empty on a client, and if the session has none or a ticket.</summary>
    public byte[] ResumptionId { get; init; } = [];

    /// <summary>
    /// The end of the handshake, which may have to be repeated; <see langword="null"/> once the peer has sent data, after a while, or if the peer has sent it.
    /// </summary>
    public LastFlight? LastFlight { get; set; }

    /// <summary>The time in which the peer has answered a flight of the handshake; zero if it is not known.</summary>
    public TimeSpan RoundTrip { get; init; }

    /// <summary>What the peer of a restored session must answer first; <see langword="null"/> for other sessions, and when it has done so.</summary>
    public FreshnessChallenge? Unproven { get; set; }

    /// <summary>The time at which the mesh last learned that the peer has proven its address; <see langword="null"/> if it has not learned that yet.</summary>
    public TimeSpan? VerifiedAt { get; set; }

    /// <summary>The moves of the peer to other addresses; <see langword="null"/> before the first attempt.</summary>
    public PeerMoves? Moves { get; set; }

    /// <summary>Whether the session has ended.</summary>
    public bool HasEnded { get; private set; }

    /// <summary>The time at which the session began on this lane.</summary>
    public TimeSpan OpenedAt { get; set; }

    /// <summary>The time of the last record.</summary>
    public TimeSpan HeardAt { get; set; }

    /// <summary>The neighbors in the order of the last records.</summary>
    public SecuredPeer? Before { get; set; }

    public SecuredPeer? Behind { get; set; }

    /// <summary>The neighbors in the order in which the sessions of the account began.</summary>
    public SecuredPeer? Older { get; set; }

    public SecuredPeer? Newer { get; set; }

    /// <summary>Describes the session for the endpoint.</summary>
    public SecuredSession Describe() => new(Identity, Credentials, OpenedAt, HeardAt);

    /// <summary>Ends the session: erases its keys, and drops what waits for the peer.</summary>
    public void End()
    {
        HasEnded = true;
        LastFlight = null;
        _path.GiveUp();
        session.Erase();
    }

    /// <summary>Returns the largest message for the peer, in bytes. The overhead of the security layer leaves no room for IDs that are longer than ours can be.</summary>
    /// <param name="limit">The largest message for peers with IDs of our length.</param>
    public int LimitOf(int limit)
    {
        var excess = Math.Max(0, session.Ids.Peer.Length - ConnectionIds.MaxOwnLength);
        return Math.Min(Math.Max(limit - excess, LeastMessage), session.MaxMessage);
    }
}
