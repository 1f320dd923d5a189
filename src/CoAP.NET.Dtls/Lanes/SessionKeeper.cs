namespace CoAP.Dtls;

/// <summary>Stores the sessions of a lane and continues those of an earlier run.</summary>
/// <param name="lane">The lane.</param>
/// <param name="journal">Writes to the store of the user.</param>
/// <param name="time">The clock, for times that outlive the process.</param>
internal sealed class SessionKeeper(DtlsLane lane, SessionJournal journal, TimeProvider time)
{
    private readonly Dictionary<PeerIdentity, DtlsSessionState> _withServers = [];      // continued when they are needed, because the local port is known then

    /// <summary>Stores a session. A client cannot continue one in which its records have no connection ID, because its port is another one then.</summary>
    /// <param name="peer">The peer.</param>
    /// <param name="isKnown">Whether it was stored before.</param>
    public void Save(SecuredPeer peer, bool isKnown)
    {
        if (CanRestore(peer)) { journal.Save(new DtlsSessionState(ContentOf(peer)), isKnown); }
    }

    /// <summary>Removes a session that has ended.</summary>
    public void Remove(SecuredPeer peer)
    {
        if (CanRestore(peer)) { journal.Remove(peer.Identity.Peer.ToString()); }
    }

    /// <summary>Continues a session of an earlier run.</summary>
    public void Restore(DtlsSessionState state)
    {
        if (state.Content.IsServer) { Continue(state, state.Content.Identity); }
        else { _withServers[state.Peer] = state; }
    }

    /// <summary>Continues a session with a server, if there is one.</summary>
    public bool TryContinue(in ChannelKey identity) => _withServers.Remove(identity.Peer, out var state) && Continue(state, identity);

    private bool Continue(DtlsSessionState state, in ChannelKey identity)
    {
        var age = time.GetUtcNow() - state.Content.HeardAt;
        var peer = age < lane.Settings.SessionTimeout ? Create(state.Content, identity) : null;
        if (peer is null) { journal.Remove(state.Id); }
        else { lane.Restore(peer, lane.Now - (age > TimeSpan.Zero ? age : TimeSpan.Zero)); }
        return peer is not null;
    }

    private static bool CanRestore(SecuredPeer peer) => peer.IsClient || peer.Session.Ids.Peer.Length > 0;

    private SecuredPeer? Create(SessionContent content, in ChannelKey identity)
    {
        var credentials = content.Credentials;
        LedgerCharge? charge = null;
        if (content.IsServer)
        {
            // The address was proven when the session began. This counts for the account of a peer without credentials.
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
        var address = content.IsServer ? content.Address : new ChannelKey(content.Address.Peer, identity.Local);
        return new SecuredPeer(identity, address, session)
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
            KeyIdentity = peer.Credentials?.PreSharedKeyIdentity,
            Certificate = peer.Credentials?.Certificate?.RawData,
            RawKey = peer.Credentials?.RawPublicKey?.SubjectPublicKeyInfo.ToArray(),
            HeardAt = time.GetUtcNow() - (lane.Now - peer.HeardAt),
        };
    }
}
