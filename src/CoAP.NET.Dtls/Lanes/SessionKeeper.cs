namespace CoAP.Dtls;

/// <summary>Stores the sessions of a lane and continues those of an earlier run.</summary>
/// <param name="lane">The lane.</param>
/// <param name="journal">Writes to the store of the user.</param>
/// <param name="time">The clock, for times that outlive the process.</param>
internal sealed class SessionKeeper(DtlsLane lane, SessionJournal journal, TimeProvider time)
{
    private const int InARow = 128;     // sessions in one turn, about 0.3 ms

    private static readonly TimeSpan BetweenChallenges = TimeSpan.FromMilliseconds(100);       // of so many sessions

    private readonly Dictionary<PeerIdentity, DtlsSessionState> _waiting = [];

    /// <summary>
    /// Stores a session. A client stores none whose records carry no connection ID: its port changes, and the server could not find the session.
    /// </summary>
    /// <param name="peer">The peer.</param>
    /// <param name="isKnown">Whether it was stored before.</param>
    public void Save(SecuredPeer peer, bool isKnown)
    {
        if (CanRestore(peer)) { journal.Save(new DtlsSessionState(ContentOf(peer)), isKnown); }
    }

    /// <summary>Removes a session that has ended.</summary>
    public void Remove(SecuredPeer peer)
    {
        if (CanRestore(peer)) { journal.Remove(SessionContent.IdOf(peer.Identity.Peer), peer.Session.Generation); }
    }

    /// <summary>Continues the sessions of an earlier run, those first that were heard last. The lane serves its peers in between.</summary>
    public void Restore(List<DtlsSessionState> sessions)
    {
        sessions.Sort(static (one, other) => other.HeardAt.CompareTo(one.HeardAt));
        _waiting.EnsureCapacity(sessions.Count);
        foreach (var session in sessions) { _waiting[session.Peer] = session; }
        // A session with a server is continued when it is needed, because the local port is known then.
        if (sessions[0].Content.IsServer) { Restore(sessions, 0); }
    }

    /// <summary>Continues a session that waits, if there is one.</summary>
    public bool TryContinue(in ChannelKey identity) =>
        _waiting.Remove(identity.Peer, out var state) && Continue(state, state.Content.IsServer ? IdentityHere(state.Content) : identity);

    // This endpoint may have another address or port than the earlier owner of the session, and the peer then sends to it.
    private ChannelKey IdentityHere(SessionContent content) => new(content.Identity.Peer, lane.Lane.LocalFor(content.Address.Peer));

    /// <summary>Returns the address at which a session began.</summary>
    public static ChannelKey PlaceOf(SessionContent content) => new(PeerNames.AddressOf(content.Identity.Peer), content.Identity.Local);

    private void Restore(List<DtlsSessionState> sessions, int from)
    {
        var to = Math.Min(from + InARow, sessions.Count);
        for (; from < to; from++) { TryContinue(sessions[from].Content.Identity); }
        if (from < sessions.Count) { lane.Lane.Post(() => Restore(sessions, from)); }
        else { Challenge(sessions, 0); }
    }

    // At once, so that a peer has shown its record number before its next request comes, which would be dropped otherwise. Those that were heard last come first.
    private void Challenge(List<DtlsSessionState> sessions, int from)
    {
        var to = Math.Min(from + InARow, sessions.Count);
        for (; from < to; from++)
        {
            if (lane.Peers.TryFind(sessions[from].Content.Identity, out var peer)) { lane.Freshness.Challenge(peer); }
        }
        if (from < sessions.Count) { lane.Lane.CreateTimer(() => Challenge(sessions, from)).Start(BetweenChallenges); }
    }

    private bool Continue(DtlsSessionState state, in ChannelKey identity)
    {
        var age = time.GetUtcNow() - state.Content.HeardAt;
        var peer = age < lane.Settings.SessionTimeout && !IsReplaced(state.Content) ? Create(state.Content, identity) : null;
        if (peer is null) { Drop(state); }
        else { lane.Restore(peer, lane.Now - (age > TimeSpan.Zero ? age : TimeSpan.Zero)); }
        return peer is not null;
    }

    // The lane may have begun new sessions while this one was waiting.
    private bool IsReplaced(SessionContent content) => content.IsServer
        && (content.Ids.Own is { Length: > 0 } id
            ? lane.Peers.TryFindById(id.Span, out _) || lane.Pending.TryFindById(id.Span, out _)
            : lane.Peers.TryFindByAddress(PlaceOf(content), out _) || lane.Peers.TryFind(content.Identity, out _));

    private void Drop(DtlsSessionState state)
    {
        journal.Remove(state.Id, state.Generation);
        var place = PlaceOf(state.Content);
        if (state.Content.Ids.Own.Length == 0 && !lane.Peers.TryFindByAddress(place, out _)) { lane.Restored.Remove(place, lane); }
    }

    private static bool CanRestore(SecuredPeer peer) => peer.IsClient || peer.Session.Ids.Peer.Length > 0;

    private SecuredPeer? Create(SessionContent content, in ChannelKey identity)
    {
        var credentials = content.Credentials;
        LedgerCharge? charge = null;
        if (content.IsServer)
        {
            // The address was proven when the session began. A peer without credentials is therefore charged to its address.
            lane.Lane.Verify(content.Address.Peer);
            charge = lane.Lane.TryCharge(LedgerResource.Sessions, lane.Lane.AccountOf(content.Address.Peer, credentials));
            if (charge is null) { return null; }
        }
        // A copy: the session erases its keys when it ends, and a store in memory still has the others.
        var session = new DtlsSession(new SessionKeys(content.Suite, [.. content.Keys]), content.IsServer, content.Ids, content.Generation)
        {
            MaxContent = content.MaxContent,
            HasRoutabilityCheck = content.HasRoutabilityCheck,
        };
        session.ForgetUpTo(content.HighestReceived);
        return new SecuredPeer(identity, new ChannelKey(content.Address.Peer, identity.Local), session)
        {
            Credentials = credentials,
            Charge = charge,
            Sent = content.IsServer ? null : new SentMessages(),
            Unproven = new FreshnessChallenge(),
        };
    }

    private SessionContent ContentOf(SecuredPeer peer)
    {
        var session = peer.Session;
        return new SessionContent(peer.Identity, peer.Path.Proven, peer.IsClient, session.Suite, session.CopyKeys(), session.Ids)
        {
            Generation = session.Generation,
            HighestReceived = session.HighestReceived,
            MaxContent = session.MaxContent,
            HasRoutabilityCheck = session.HasRoutabilityCheck,
            KeyIdentity = peer.Credentials is { PreSharedKeyIdentityBytes: { IsEmpty: false } identity } ? identity.ToArray() : null,
            ServerName = peer.Credentials?.ServerName,
            Certificate = peer.Credentials?.Certificate?.RawData,
            RawKey = peer.Credentials?.RawPublicKey?.SubjectPublicKeyInfo.ToArray(),
            HeardAt = time.GetUtcNow() - (lane.Now - peer.HeardAt),
        };
    }
}
