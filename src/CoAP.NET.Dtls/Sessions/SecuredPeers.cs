using System.Diagnostics.CodeAnalysis;

namespace CoAP.Dtls;

/// <summary>The sessions of one lane: by the identity and the address of the peer, and by our connection ID.</summary>
internal sealed class SecuredPeers
{
    private readonly Dictionary<PeerPlace, SecuredPeer> _byServer = [];
    private readonly Dictionary<PeerPlace, SecuredPeer> _byAddress = [];
    private readonly Dictionary<UInt128, SecuredPeer> _byId = new(SeededComparer<UInt128>.Default);     // connection IDs, or names
    private readonly Dictionary<Account, (SecuredPeer Oldest, SecuredPeer Newest)> _byAccount = [];
    private SecuredPeer? _newest;
    private SecuredPeer? _last;     // most messages follow one of the same peer

    /// <summary>The number of sessions.</summary>
    public int Count { get; private set; }

    /// <summary>The session that has been silent for the longest time.</summary>
    public SecuredPeer? Oldest { get; private set; }

    /// <summary>All sessions, the one that was heard last first.</summary>
    public IEnumerable<SecuredPeer> All
    {
        get
        {
            for (var peer = _newest; peer is not null; peer = peer.Before) { yield return peer; }
        }
    }

    public bool TryFind(in ChannelKey identity, [NotNullWhen(true)] out SecuredPeer? peer)
    {
        if (_last is { } last && last.Identity.Peer == identity.Peer && last.Identity.Local.Port == identity.Local.Port)
        {
            peer = last;
            return true;
        }
        return PeerNames.TryReadId(identity.Peer, out var id)
            ? _byId.TryGetValue(id, out peer) && peer.Identity.Peer == identity.Peer
            : _byServer.TryGetValue(PeerPlace.Of(identity), out peer);
    }

    /// <summary>Finds the session of a record without a connection ID.</summary>
    public bool TryFindByAddress(in ChannelKey address, [NotNullWhen(true)] out SecuredPeer? peer) => _byAddress.TryGetValue(PeerPlace.Of(address), out peer);

    /// <summary>Finds the session of a record with a connection ID.</summary>
    public bool TryFindById(ReadOnlySpan<byte> id, [NotNullWhen(true)] out SecuredPeer? peer) => _byId.TryGetValue(ConnectionIds.NumberOf(id), out peer);

    /// <summary>Returns the session of an account that began first; <see langword="null"/> if it has none on this lane.</summary>
    public SecuredPeer? OldestOf(Account account) => _byAccount.TryGetValue(account, out var sessions) ? sessions.Oldest : null;

    /// <summary>Returns the session of an account that began last; <see langword="null"/> if it has none on this lane.</summary>
    public SecuredPeer? NewestOf(Account account) => _byAccount.TryGetValue(account, out var sessions) ? sessions.Newest : null;

    /// <summary>Adds a session. An earlier one with the same identity, or at the same address, must be removed first.</summary>
    /// <param name="peer">The session.</param>
    /// <param name="isOldest">Whether it began before all others, and has been silent for longer.</param>
    public void Add(SecuredPeer peer, bool isOldest = false)
    {
        if (NumberOf(peer) is { } number) { _byId.Add(number, peer); }
        if (!peer.IsClient) { _byServer.Add(PeerPlace.Of(peer.Identity), peer); }
        if (peer.Session.Ids.Own.Length == 0) { _byAddress.Add(PeerPlace.Of(peer.Address), peer); }
        if (isOldest) { Prepend(peer); }
        else { Append(peer); }
        Count++;
        if (peer.Charge is not { } charge) { return; }
        if (!_byAccount.TryGetValue(charge.Account, out var sessions)) { _byAccount[charge.Account] = (peer, peer); }
        else if (isOldest)
        {
            (peer.Newer, sessions.Oldest.Older) = (sessions.Oldest, peer);
            _byAccount[charge.Account] = (peer, sessions.Newest);
        }
        else
        {
            (peer.Older, sessions.Newest.Newer) = (sessions.Newest, peer);
            _byAccount[charge.Account] = (sessions.Oldest, peer);
        }
    }

    /// <summary>Removes a session and erases its keys.</summary>
    public void Remove(SecuredPeer peer)
    {
        if (!TryFind(peer.Identity, out var found) || found != peer) { return; }
        if (NumberOf(peer) is { } number) { _byId.Remove(number); }
        if (!peer.IsClient) { _byServer.Remove(PeerPlace.Of(peer.Identity)); }
        if (peer.Session.Ids.Own.Length == 0) { _byAddress.Remove(PeerPlace.Of(peer.Address)); }
        if (_last == peer) { _last = null; }
        Detach(peer);
        Count--;
        if (peer.Charge is { } charge)
        {
            RemoveFrom(charge.Account, peer);
            charge.Dispose();
        }
        peer.End();
    }

    /// <summary>Called when a record of a peer has arrived. Moves the session to the front of the order.</summary>
    public void Hear(SecuredPeer peer, TimeSpan now)
    {
        (peer.HeardAt, _last) = (now, peer);
        if (_newest == peer) { return; }
        Detach(peer);
        Append(peer);
    }

    private static UInt128? NumberOf(SecuredPeer peer) =>
        PeerNames.TryReadId(peer.Identity.Peer, out var number) ? number
        : peer.Session.Ids.Own is { Length: > 0 } id ? ConnectionIds.NumberOf(id.Span)
        : null;

    private void Append(SecuredPeer peer)
    {
        peer.Before = _newest;
        if (_newest is not null) { _newest.Behind = peer; }
        _newest = peer;
        Oldest ??= peer;
    }

    private void Prepend(SecuredPeer peer)
    {
        peer.Behind = Oldest;
        if (Oldest is not null) { Oldest.Before = peer; }
        Oldest = peer;
        _newest ??= peer;
    }

    private void Detach(SecuredPeer peer)
    {
        if (peer.Before is { } before) { before.Behind = peer.Behind; }
        else { Oldest = peer.Behind; }
        if (peer.Behind is { } behind) { behind.Before = peer.Before; }
        else { _newest = peer.Before; }
        (peer.Before, peer.Behind) = (null, null);
    }

    private void RemoveFrom(Account account, SecuredPeer peer)
    {
        var (oldest, newest) = _byAccount[account];
        if (peer.Older is { } older) { older.Newer = peer.Newer; }
        if (peer.Newer is { } newer) { newer.Older = peer.Older; }
        if (oldest == peer && newest == peer) { _byAccount.Remove(account); }
        else if (oldest == peer) { _byAccount[account] = (peer.Newer!, newest); }
        else if (newest == peer) { _byAccount[account] = (oldest, peer.Older!); }
    }
}
