namespace CoAP.Dtls;

/// <summary>Holds back the requests of restored sessions until the peer has shown what its current record number is.</summary>
/// <remarks>
/// The store does not know which records arrived between the last save and the end of the earlier process. An attacker who recorded them could replay them now,
/// and a POST would be executed twice. So the peer is challenged at once (<see cref="FreshnessChallenge"/>), and its requests are dropped until it has answered. All records up to
/// the answer then count as used. The peer repeats a dropped request as if it had been lost, and is challenged again. Responses need no challenge, because their tokens are ours.
/// </remarks>
internal sealed class FreshnessCheck(DtlsLane lane)
{
    /// <summary>Returns whether a message of the peer must not be processed.</summary>
    public bool Holds(SecuredPeer peer, ReadOnlySpan<byte> message)
    {
        if (peer.Unproven is not { } challenge || message.Length < 2) { return false; }
        if (message[1] is > 0 and < 32)
        {
            Challenge(peer);
            return true;
        }
        if (!challenge.TryAccept(message, lane.Now, out var isMet)) { return false; }
        if (isMet) { Prove(peer); }
        return true;
    }

    /// <summary>Called with the answer to a challenge of the return routability check.</summary>
    public void OnAnswer(SecuredPeer peer, ulong cookie)
    {
        if (peer.Unproven?.IsMetBy(cookie, lane.Now) == true) { Prove(peer); }
    }

    /// <summary>Called when the last opened record proves that it was sent now and is not a replay.</summary>
    public static void Prove(SecuredPeer peer)
    {
        if (peer.Unproven is null) { return; }
        peer.Unproven = null;
        peer.Session.ForgetUpTo(peer.Session.HighestReceived);
    }

    /// <summary>Challenges the peer of a restored session, unless it has answered, or the time of the last challenge is not over.</summary>
    public void Challenge(SecuredPeer peer)
    {
        // At a new address, the answer to the challenge of that address shows it as well.
        if (peer.Unproven is not { } challenge || peer.Path.Attempt is not null || !challenge.IsDue(lane.Now)) { return; }
        foreach (var content in lane.Draw(peer, challenge)) { lane.Send(peer, FreshnessChallenge.TypeFor(peer.Session), content); }
    }
}
