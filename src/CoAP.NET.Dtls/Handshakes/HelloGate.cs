using System.Security.Cryptography;

namespace CoAP.Dtls;

/// <summary>Answers ClientHellos without state until a cookie has come back (RFC 6347, section 4.2.1). Then it begins a handshake.</summary>
internal sealed class HelloGate(IHandshakeLane lane, HelloCookies cookies)
{
    // Hellos without a valid cookie before the one that has it, for example because the cookies of earlier ones have expired or changed on the way. Each costs a few
    // microseconds again when the handshake begins.
    private const int MostRetries = 64;

    private const int MostReplaced = 4;         // handshakes, for one hello

    private readonly HelloBudget _withoutCookie = new(NewSeed());
    private readonly HelloBudget _withCookie = new(NewSeed());
    private readonly byte[] _answer = new byte[DtlsRecord.HeaderLength + HandshakeHeader.Size + 3 + HelloCookies.Length];

    /// <summary>Processes the record of a ClientHello. Returns <see langword="false"/> if it is something else.</summary>
    public bool TryProcess(in DtlsRecord record, in ChannelKey sender)
    {
        if (!ClientHello.TryRead(record.Body, out var hello)) { return false; }
        if (lane.Pending.TryFind(sender, out var pending) && hello.Random.SequenceEqual(pending.Random))
        {
            pending.OnRecord(record);
            return true;
        }
        // A client that has a cookie does not compete with those that have none, or an invented one.
        if (cookies.IsLikely(sender.Peer, hello.Cookie))
        {
            if (!TryTake(_withCookie, sender)) { return true; }
            if (cookies.IsValid(sender.Peer, hello.Parameters, lane.Now.Ticks, hello.Cookie))
            {
                if (hello.Header.Sequence <= MostRetries) { Begin(hello, record, sender, pending); }
                return true;
            }
        }
        if (TryTake(_withoutCookie, sender)) { Ask(hello, record, sender); }
        return true;
    }

    private bool TryTake(HelloBudget budget, in ChannelKey sender)
    {
        if (budget.TryTake(Account.Of(sender.Peer), lane.Now)) { return true; }
        DtlsMetrics.Drop("too_many_hellos");
        return false;
    }

    private static ulong NewSeed() => BitConverter.ToUInt64(RandomNumberGenerator.GetBytes(sizeof(ulong)));

    // The cookie has come back.
    private void Begin(in ClientHello hello, in DtlsRecord record, in ChannelKey sender, PendingHandshake? pending)
    {
        lane.Lane.Verify(sender.Peer);
        if (pending is not null)
        {
            // The client has started a new handshake.
            lane.Pending.Remove(pending);
            pending.Dispose();
        }
        if (Charge(lane.Lane.AccountOf(sender.Peer)) is not { } charge)
        {
            DtlsMetrics.Fail("limit");
            lane.Log.HandshakeFailed(sender.Peer, "handshakes", "there is no room for another handshake (MaxConcurrentHandshakes)");
            return;
        }
        pending = new PendingHandshake(lane, sender, charge)
        {
            OwnId = lane.NewConnectionId(),
            Hello = new HandshakeAssembler(hello.Header.Sequence, DtlsRecord.MaxContent),
            Random = hello.Random.ToArray(),
        };
        lane.Pending.Add(pending);
        pending.OnRecord(record);
    }

    // Without room, the new handshake takes the place of one whose client has fallen silent. An account that holds more than its share, because others have come
    // since, must give up several.
    private LedgerCharge? Charge(Account account)
    {
        for (var replaced = 0; ; replaced++)
        {
            if (lane.Lane.TryCharge(LedgerResource.SessionHandshakes, account) is { } charge) { return charge; }
            if (replaced == MostReplaced || lane.Pending.FindStalled(account, isFull: !lane.HasRoomForHandshake, lane.Now) is not { } stalled) { return null; }
            stalled.IsReplaced = true;
            lane.OnFailed(stalled, "a newer handshake has taken its place (MaxConcurrentHandshakes)");
        }
    }

    private void Ask(in ClientHello hello, in DtlsRecord record, in ChannelKey sender)
    {
        Span<byte> cookie = stackalloc byte[HelloCookies.Length];
        cookies.Write(sender.Peer, hello.Parameters, lane.Now.Ticks, cookie);
        var length = ClientHello.WriteVerifyRequest(hello, record.Number, cookie, _answer);
        lane.Send(sender, _answer.AsMemory(0, length));
    }
}
