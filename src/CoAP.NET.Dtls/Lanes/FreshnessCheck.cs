using System.Buffers.Binary;

namespace CoAP.Dtls;

/// <summary>Holds back the requests of restored sessions until the peer has shown what its current record number is.</summary>
/// <remarks>
/// The store does not know which records arrived between the last save and the end of the earlier process. An attacker who recorded them could replay them now,
/// and a POST would be executed twice. So the first requests are dropped, and the peer is challenged: by the return routability check (RFC 9853) or, without it, by two CoAP
/// pings with unpredictable message IDs. All records up to the answer then count as used. The peer repeats its request as if it had been lost. Responses need no
/// challenge, because their tokens are ours.
/// </remarks>
internal sealed class FreshnessCheck(DtlsLane lane)
{
    private const int HeaderLength = 4;
    private const byte ConfirmableEmpty = 0x40, TypeMask = 0x30, Reset = 0x30;

    /// <summary>Returns whether a message of the peer is not to be processed.</summary>
    public bool Holds(SecuredPeer peer, ReadOnlySpan<byte> message)
    {
        if (peer.Unproven is not { } challenge || message.Length < HeaderLength) { return false; }
        if (message[1] is > 0 and < 32)
        {
            Challenge(peer, challenge);
            return true;
        }
        var isReset = message[1] == 0 && (message[0] & TypeMask) == Reset;
        if (!isReset || !challenge.TryAccept(BinaryPrimitives.ReadUInt16BigEndian(message[2..]), out var isMet)) { return false; }
        if (isMet) { Prove(peer); }
        return true;
    }

    /// <summary>Called with the answer to a challenge of the return routability check.</summary>
    public static void OnAnswer(SecuredPeer peer, ulong cookie)
    {
        if (peer.Unproven is { SentAt: not null } challenge && challenge.Cookie == cookie) { Prove(peer); }
    }

    /// <summary>Called when the record that was opened last contains something that only the peer can know, and only now.</summary>
    public static void Prove(SecuredPeer peer)
    {
        if (peer.Unproven is null) { return; }
        peer.Unproven = null;
        peer.Session.ForgetUpTo(peer.Session.HighestReceived);
    }

    private void Challenge(SecuredPeer peer, FreshnessChallenge challenge)
    {
        if (challenge.SentAt is { } sentAt && lane.Now - sentAt < lane.Settings.PathCheckTimeout) { return; }
        challenge.SentAt = lane.Now;
        if (peer.Session.HasRoutabilityCheck)
        {
            lane.Send(peer, ContentType.ReturnRoutabilityCheck, new RoutabilityMessage(RoutabilityMessageType.PathChallenge, challenge.Cookie).ToBytes());
            return;
        }
        foreach (var id in challenge.MessageIds) { lane.Send(peer, ContentType.ApplicationData, [ConfirmableEmpty, 0, (byte)(id >> 8), (byte)id]); }
    }
}
