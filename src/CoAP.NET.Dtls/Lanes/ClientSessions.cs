namespace CoAP.Dtls;

/// <summary>Starts the sessions of clients, and lets a new session replace the last one of the same client.</summary>
internal sealed class ClientSessions(DtlsLane lane, DtlsLayer layer)
{
    private const int ObserversInARow = 128;    // in one turn of a lane

    private readonly HashSet<PeerIdentity> _moving = [];    // sessions that have ended, and whose observations are on their way to later ones

    /// <summary>Whether the observations of a session that has ended are on their way to a later one. Until then, its notifications are lost.</summary>
    public bool IsMoving(in PeerIdentity peer) => _moving.Contains(peer);

    /// <summary>Called when the handshake of a client has succeeded.</summary>
    public void Accept(PendingHandshake pending)
    {
        var (machine, credentials) = (pending.Machine!, pending.Credentials);
        // The client may not have connection IDs.
        var id = machine.Session!.Ids.Own is { Length: > 0 } own ? own : lane.NewId();
        var identity = new ChannelKey(PeerNames.OfClient(pending.Address.Peer, id.Span), pending.Address.Local);
        var account = lane.Lane.AccountOf(pending.Address.Peer, credentials);
        var continues = credentials is not null && MustContinue(identity.Peer, credentials);
        // Before the former session is forgotten, which it may be below. If two sessions of a client begin at the same time, one continues the other.
        var former = continues ? layer.Latest.Exchange(credentials!, identity) : null;
        var isRestoredHere = lane.Restored.LaneOf(pending.Address) == lane;
        if (lane.Peers.TryFindByAddress(pending.Address, out var other)) { lane.Forget(other); }
        else if (lane.Peers.TryFindAt(pending.Address, out var same)) { Abandon(same, credentials); }
        var charge = Charge(account);
        if (charge is null)
        {
            DtlsMetrics.Fail("limit");
            if (continues) { layer.Latest.Remove(credentials!, identity); }
            lane.Log.HandshakeFailed(pending.Address.Peer, "sessions", "there is no room for another session (MaxSessions)");
            // For the client, the session has begun. Without an answer, it would lose its requests until it tries again.
            lane.Refuse(machine.Session!, pending.Address);
            return;
        }
        // The datagrams of the address still arrive at another lane.
        if (isRestoredHere && machine.Session!.Ids.Own.Length == 0) { lane.Restored.Add(pending.Address, lane); }
        lane.Add(new SecuredPeer(identity, pending.Address, pending.TakeSession())
        {
            Credentials = credentials,
            Charge = charge,
            LastFlight = machine.LastFlight,
            RoundTrip = TimeSpan.FromTicks(machine.RoundTrip),
            ResumptionId = lane.Settings.AllowsResumption ? pending.Handshake!.ResumptionId : [],
        });
        lane.Lane.Verify(identity.Peer);
        if (former is { } earlier && earlier != identity) { Continue(earlier, identity, credentials!); }
    }

    // A further session replaces the oldest one of its account.
    private LedgerCharge? Charge(Account account)
    {
        var charge = lane.Lane.TryCharge(LedgerResource.Sessions, account);
        if (charge is not null || lane.Peers.OldestOf(account) is not { } oldest) { return charge; }
        lane.End(oldest);
        return lane.Lane.TryCharge(LedgerResource.Sessions, account);
    }

    /// <summary>Called when a session of an earlier run goes on.</summary>
    public void OnRestored(SecuredPeer peer)
    {
        if (peer is { IsClient: true, Credentials: { } credentials } && MustContinue(peer.Identity.Peer, credentials)) { layer.Latest.Exchange(credentials, peer.Identity); }
    }

    // After the Finished of a new handshake, the server abandons the earlier association with the address (RFC 6347, section 4.2.8): a device that restarts there has
    // lost it, and a peer without a name may be the same device. But a NAT can give the address of one device to another. The first one keeps its session, and
    // moves when it is heard at its next address. Until then, it gets nothing: the new device could not tell its records from those of its own session.
    private void Abandon(SecuredPeer earlier, PeerCredentials? credentials)
    {
        if (earlier.Credentials?.Identity is { } one && credentials?.Identity is { } other && one != other) { earlier.Path.LoseAddress(); }
        else { lane.Forget(earlier); }
    }

    private bool MustContinue(in PeerIdentity peer, PeerCredentials credentials)
    {
        if (layer.Renewals.Continues is not { } continues) { return false; }
        try { return continues(credentials); }
        catch (Exception exception) // The edge to the code of the user.
        {
            lane.Log.CallbackFailed("ContinuesPeer", exception, peer);
            return false;
        }
    }

    // The former session may be on another lane.
    private void Continue(ChannelKey earlier, ChannelKey identity, PeerCredentials credentials)
    {
        if (layer.LaneAt(earlier.Peer) is not { } home) { return; }
        // It may have been forgotten already.
        if (home == lane) { _moving.Add(earlier.Peer); }
        var wait = layer.Latest.TimeToMove(credentials, layer.Time);
        if (wait <= TimeSpan.Zero) { Move(); }
        else { lane.Lane.CreateTimer(Move).Start(wait); }

        void Move() => home.Lane.Post(() => home.Clients.MoveObservers(this, new PeerRenewal(earlier.Peer, identity.Peer, credentials), earlier, identity));
    }

    // On the lane of the former session. Both lanes serve their peers between two portions.
    private void MoveObservers(ClientSessions target, PeerRenewal renewal, ChannelKey earlier, ChannelKey identity)
    {
        _moving.Add(earlier.Peer);
        if (lane.Peers.TryFind(earlier, out var ended)) { lane.Forget(ended); }
        var observers = lane.Lane.TakeObservers(earlier, ObserversInARow);
        var isLast = observers.Count < ObserversInARow;
        target.Post(() => target.Continue(observers, renewal, identity, isLast));
        if (isLast) { _moving.Remove(earlier.Peer); }
        else { Post(() => MoveObservers(target, renewal, earlier, identity)); }
    }

    private void Post(Action action) => lane.Lane.Post(action);

    private void Continue(IReadOnlyList<StoredObserver> observers, PeerRenewal renewal, ChannelKey identity, bool isLast)
    {
        // A still later session has ended this one before the observers of the former session have arrived.
        if (!lane.Peers.TryFind(identity, out _) && layer.Latest.Find(renewal.Credentials) is { } latest && latest != identity
            && layer.LaneAt(latest.Peer) is { } home)
        {
            home.Lane.Post(() => home.Clients.Continue(observers, renewal with { Peer = latest.Peer }, latest, isLast));
            return;
        }
        foreach (var observer in observers)
        {
            lane.Lane.ContinueObserver(observer with { Peer = identity.Peer, Local = identity.Local }, renewal.Credentials);
        }
        if (!isLast) { return; }
        try { layer.Renewals.OnContinued?.Invoke(renewal); }
        catch (Exception exception) // The edge to the code of the user.
        {
            lane.Log.CallbackFailed("OnPeerContinued", exception, renewal.Peer);
        }
    }
}
