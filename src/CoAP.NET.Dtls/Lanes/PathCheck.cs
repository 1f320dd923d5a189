using System.Buffers.Binary;
using System.Security.Cryptography;

namespace CoAP.Dtls;

/// <summary>Follows peers that move to another address (RFC 9146, section 6), with the return routability check where both sides have it (RFC 9853).</summary>
/// <remarks>
/// It is the basic check of RFC 9853, section 5.1: a challenge to the new address, with each record from there until an answer has come. Without the check, the
/// peer proves its address with an Echo option or a token of ours.
/// </remarks>
internal sealed class PathCheck(DtlsLane lane)
{
    private static readonly TimeSpan Refresh = TimeSpan.FromSeconds(10);

    /// <summary>Called with the sender of the newest record of a session.</summary>
    public void OnNewest(SecuredPeer peer, in ChannelKey sender, int bytes)
    {
        if (peer.Path.Hear(sender, bytes))
        {
            lane.Lane.Distrust(peer.Identity.Peer);
            peer.VerifiedAt = null;
        }
        if (peer.Path.Attempt is { } attempt)
        {
            if (peer.Session.HasRoutabilityCheck && !attempt.IsChallenged(lane.Now, lane.Settings.PathCheckTimeout)) { Challenge(peer, attempt); }
        }
        else if (peer.VerifiedAt is not { } last || lane.Now - last >= Refresh) { Verify(peer); }
    }

    /// <summary>Called after a message of the peer was processed, which may have proven its address with an Echo option or a token of ours.</summary>
    public void OnProcessed(SecuredPeer peer)
    {
        if (peer.Path.Attempt is not null && lane.Lane.IsVerified(peer.Identity.Peer)) { TakeOver(peer); }
    }

    /// <summary>Processes a message of the check.</summary>
    public void OnMessage(SecuredPeer peer, ReadOnlySpan<byte> content, in ChannelKey sender)
    {
        if (!peer.Session.HasRoutabilityCheck || !RoutabilityMessage.TryRead(content, out var message)) { return; }
        if (message.Type == RoutabilityMessageType.PathChallenge)
        {
            // One answer, at once, to the address from which the challenge came.
            var answer = message with { Type = RoutabilityMessageType.PathResponse };
            var record = lane.Seal(peer, ContentType.ReturnRoutabilityCheck, answer.ToBytes());
            if (record.Length > 0) { lane.Send(sender, record); }
        }
        else if (message.Type == RoutabilityMessageType.PathResponse)
        {
            FreshnessCheck.OnAnswer(peer, message.Cookie);
            var isProven = peer.Path.Attempt is { } attempt && attempt.Address.Peer == sender.Peer
                && attempt.IsAnswer(message.Cookie, lane.Now, lane.Settings.PathCheckTimeout);
            if (!isProven) { return; }
            FreshnessCheck.Prove(peer);
            TakeOver(peer);
            Verify(peer);
        }
    }

    private void Challenge(SecuredPeer peer, PathAttempt attempt)
    {
        var cookie = BinaryPrimitives.ReadUInt64BigEndian(RandomNumberGenerator.GetBytes(sizeof(ulong)));
        var record = lane.Seal(peer, ContentType.ReturnRoutabilityCheck, new RoutabilityMessage(RoutabilityMessageType.PathChallenge, cookie).ToBytes());
        if (record.Length == 0 || !peer.Path.TryTakeNew(record.Length, out var address)) { return; }
        attempt.Challenge(cookie, lane.Now);
        lane.Send(address, record);
    }

    private void TakeOver(SecuredPeer peer)
    {
        var from = peer.Path.Proven.Peer;
        peer.Path.Prove();
        lane.OnMoved(peer, from);
    }

    private void Verify(SecuredPeer peer)
    {
        lane.Lane.Verify(peer.Identity.Peer);
        peer.VerifiedAt = lane.Now;
    }
}
