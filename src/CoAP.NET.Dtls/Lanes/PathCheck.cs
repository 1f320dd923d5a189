namespace CoAP.Dtls;

/// <summary>Follows peers that move to another address (RFC 9146, section 6), with the return routability check where both sides have it (RFC 9853).</summary>
/// <remarks>
/// It is the basic check of RFC 9853, section 5.1: challenges to the new address while records come from there, until an answer has come from there. Without the
/// return routability check, the challenges are CoAP pings. Nothing else moves a peer: an Echo option or a token that comes from the new address may have
/// been sent to the earlier one, and somebody may have held it back to forward it from there.
/// </remarks>
internal sealed class PathCheck
{
    private const int TimeoutsOfLife = 10;      // of a new address without records

    private static readonly TimeSpan Refresh = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan BetweenMoves = TimeSpan.FromSeconds(1), BetweenSaves = TimeSpan.FromSeconds(10);

    private static readonly TimeSpan LongestLife = TimeSpan.FromDays(1);

    private readonly DtlsLane _lane;
    private readonly TimeSpan _life;
    private readonly DelayedPeers _watched;
    private readonly HeldRecordBudget _held = new();

    public PathCheck(DtlsLane lane)
    {
        var life = TimeoutsOfLife * lane.Settings.PathCheckTimeout;
        (_lane, _life) = (lane, life < LongestLife ? life : LongestLife);
        _watched = new DelayedPeers(lane.Lane, _life, GiveUp);
    }

    /// <summary>Called with the sender of the newest record of a session.</summary>
    public void OnNewest(SecuredPeer peer, in ChannelKey sender, int bytes)
    {
        peer.Path.Hear(sender, bytes, _lane.Now, _held);
        if (peer.Path.Attempt is { } attempt)
        {
            var moves = peer.Moves ??= new PeerMoves();
            if (!moves.IsWatched) { Watch(peer, moves); }
            Challenge(peer, attempt, moves);
        }
        else if (peer.VerifiedAt is not { } last || _lane.Now - last >= Refresh) { Verify(peer); }
    }

    /// <summary>Processes the answer to a ping of the check. Returns <see langword="false"/> if the message is something else.</summary>
    public bool TryProcess(SecuredPeer peer, ReadOnlySpan<byte> message, in ChannelKey sender)
    {
        if (peer.Session.HasRoutabilityCheck || peer.Path.Attempt is not { } attempt || attempt.Address.Peer != sender.Peer
            || !attempt.Challenge.TryAccept(message, _lane.Now, out var isMet))
        {
            return false;
        }
        if (isMet) { TakeOver(peer); }
        return true;
    }

    /// <summary>Voids the challenges of a peer if a message is a Reset. Called with messages that answer none of them.</summary>
    public static void VoidIfReset(SecuredPeer peer, ReadOnlySpan<byte> message)
    {
        if (!FreshnessChallenge.IsReset(message)) { return; }
        peer.Path.Attempt?.Challenge.Void();
        peer.Unproven?.Void();
    }

    /// <summary>Processes a message of the return routability check.</summary>
    public void OnMessage(SecuredPeer peer, ReadOnlySpan<byte> content, in ChannelKey sender)
    {
        if (!peer.Session.HasRoutabilityCheck || !RoutabilityMessage.TryRead(content, out var message)) { return; }
        if (message.Type == RoutabilityMessageType.PathChallenge)
        {
            // Exactly one response, sent immediately to the source address of the challenge.
            var answer = message with { Type = RoutabilityMessageType.PathResponse };
            var record = _lane.Seal(peer, ContentType.ReturnRoutabilityCheck, answer.ToBytes());
            if (record.Length == 0) { return; }
            peer.Path.Spend(sender, record.Length);
            _lane.Send(sender, record);
        }
        else if (message.Type == RoutabilityMessageType.PathResponse)
        {
            _lane.Freshness.OnAnswer(peer, message.Cookie);
            var isProven = peer.Path.Attempt is { } attempt && attempt.Address.Peer == sender.Peer
                && attempt.Challenge.IsMetBy(message.Cookie, _lane.Now);
            if (isProven) { TakeOver(peer); }
        }
    }

    private void Challenge(SecuredPeer peer, PathAttempt attempt, PeerMoves moves)
    {
        // A peer that moves to and fro would cost a callback and a change of the store each time.
        if (_lane.Now - moves.ProvenAt < BetweenMoves || !attempt.Challenge.IsDue(_lane.Now)) { return; }
        foreach (var content in _lane.Draw(peer, attempt.Challenge))
        {
            // Never to the old address: an answer would prove nothing.
            var record = _lane.Seal(peer, FreshnessChallenge.TypeFor(peer.Session), content);
            if (record.Length > 0 && peer.Path.TryTakeNew(record.Length, out var address)) { _lane.Send(address, record); }
        }
    }

    private void TakeOver(SecuredPeer peer)
    {
        var former = peer.Path.Proven;
        var from = former.Peer;
        var held = peer.Path.Prove();
        if (peer.IsClient) { _lane.Peers.Move(peer, former); }
        FreshnessCheck.Prove(peer);
        peer.Moves?.ProvenAt = _lane.Now;
        Verify(peer);
        foreach (var record in held) { _lane.Send(peer.Path.Proven, record); }
        _lane.OnMoved(peer, from);
    }

    private void Verify(SecuredPeer peer)
    {
        _lane.Lane.Verify(peer.Identity.Peer);
        peer.VerifiedAt = _lane.Now;
        if (peer.Moves is not { } moves || moves.ProvenAt <= moves.SavedAt || _lane.Now - moves.SavedAt < BetweenSaves) { return; }
        moves.SavedAt = _lane.Now;
        _lane.Save(peer);
    }

    private void Watch(SecuredPeer peer, PeerMoves moves)
    {
        moves.IsWatched = true;
        _watched.Add(peer);
    }

    // A peer that is not heard at its new address again must not keep the records for it.
    private void GiveUp(SecuredPeer peer)
    {
        var moves = peer.Moves!;
        moves.IsWatched = false;
        if (peer.Path.Attempt is not { } attempt) { return; }
        if (_lane.Now - attempt.HeardAt >= _life) { peer.Path.GiveUp(); }
        else { Watch(peer, moves); }
    }
}
