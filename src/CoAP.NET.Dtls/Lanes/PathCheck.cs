namespace CoAP.Dtls;

/// <summary>Follows peers that move to another address (RFC 9146, section 6), with the return routability check where both sides have it (RFC 9853).</summary>
/// <remarks>
/// It is the basic check of RFC 9853, section 5.1: challenges to the new address while records come from there, until an answer has come from there. Without the
/// return routability check, the challenges are CoAP pings. Nothing else moves a peer: an Echo option or a token that comes from the new address may have
/// been sent to the earlier one, and somebody may have held it back to forward it from there.
/// </remarks>
internal sealed class PathCheck(DtlsLane lane)
{
    private static readonly TimeSpan Refresh = TimeSpan.FromSeconds(10);

    /// <summary>Called with the sender of the newest record of a session.</summary>
    public void OnNewest(SecuredPeer peer, in ChannelKey sender, int bytes)
    {
        peer.Path.Hear(sender, bytes);
        if (peer.Path.Attempt is { } attempt) { Challenge(peer, attempt); }
        else if (peer.VerifiedAt is not { } last || lane.Now - last >= Refresh) { Verify(peer); }
    }

    /// <summary>Processes the answer to a ping of the check. Returns <see langword="false"/> if the message is something else.</summary>
    public bool TryProcess(SecuredPeer peer, ReadOnlySpan<byte> message, in ChannelKey sender)
    {
        if (peer.Session.HasRoutabilityCheck || peer.Path.Attempt is not { } attempt || attempt.Address.Peer != sender.Peer
            || !attempt.Challenge.TryAccept(message, lane.Now, lane.Settings.PathCheckTimeout, out var isMet))
        {
            return false;
        }
        if (isMet) { TakeOver(peer); }
        return true;
    }

    /// <summary>Processes a message of the return routability check.</summary>
    public void OnMessage(SecuredPeer peer, ReadOnlySpan<byte> content, in ChannelKey sender)
    {
        if (!peer.Session.HasRoutabilityCheck || !RoutabilityMessage.TryRead(content, out var message)) { return; }
        if (message.Type == RoutabilityMessageType.PathChallenge)
        {
            // Exactly one response, sent immediately to the source address of the challenge.
            var answer = message with { Type = RoutabilityMessageType.PathResponse };
            var record = lane.Seal(peer, ContentType.ReturnRoutabilityCheck, answer.ToBytes());
            if (record.Length == 0) { return; }
            peer.Path.Spend(sender, record.Length);
            lane.Send(sender, record);
        }
        else if (message.Type == RoutabilityMessageType.PathResponse)
        {
            lane.Freshness.OnAnswer(peer, message.Cookie);
            var isProven = peer.Path.Attempt is { } attempt && attempt.Address.Peer == sender.Peer
                && attempt.Challenge.IsMetBy(message.Cookie, lane.Now, lane.Settings.PathCheckTimeout);
            if (isProven) { TakeOver(peer); }
        }
    }

    private void Challenge(SecuredPeer peer, PathAttempt attempt)
    {
        if (!attempt.Challenge.IsDue(lane.Now, lane.Settings.PathCheckTimeout)) { return; }
        foreach (var content in attempt.Challenge.Draw(lane.Now, peer.Session.HasRoutabilityCheck))
        {
            // Never to the old address: an answer would prove nothing.
            var record = lane.Seal(peer, FreshnessChallenge.TypeFor(peer.Session), content);
            if (record.Length > 0 && peer.Path.TryTakeNew(record.Length, out var address)) { lane.Send(address, record); }
        }
    }

    private void TakeOver(SecuredPeer peer)
    {
        var from = peer.Path.Proven.Peer;
        var held = peer.Path.Prove();
        FreshnessCheck.Prove(peer);
        Verify(peer);
        foreach (var record in held) { lane.Send(peer.Path.Proven, record); }
        lane.OnMoved(peer, from);
    }

    private void Verify(SecuredPeer peer)
    {
        lane.Lane.Verify(peer.Identity.Peer);
        peer.VerifiedAt = lane.Now;
    }
}
