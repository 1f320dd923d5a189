using CoAP.Serialization;

namespace CoAP.Dtls;

/// <summary>
/// What a client and one server have sent each other, over all of their sessions. Retransmissions without any record from the server show that the server has lost
/// the session. Messages that belong to an earlier session do not go out in a later one (RFC 7252, sections 9.1.1 and 9.1.2).
/// </summary>
internal sealed class SentMessages
{
    private const int MostRecent = 64;
    private const int MostUnanswered = 1024;
    private const int None = -1;
    private const int RepeatsUntilLost = 3;

    // A retransmission begins the time anew, so it holds for any parameters of a transmission.
    private static readonly TimeSpan Lifetime = TransmissionParameters.Default.ExchangeLifetime;

    private readonly int[] _recent = [.. Enumerable.Repeat(None, MostRecent)];
    private readonly Copies[] _copies = new Copies[MostRecent];     // of the messages in _recent
    private readonly OrderedDictionary<MessageId, Unanswered> _unanswered = [];     // those sent last are at the end
    private readonly ReceivedRequests _received = new();
    private int _next;
    private int _session;

    // A record of the server shows that the session is still there, so the copies before it do not count.
    private record struct Copies(TimeSpan SentAt, TimeSpan FirstWait, int HeardCount, int Repeats);

    private readonly record struct Unanswered(int Session, Token Token, TimeSpan SentAt);

    /// <summary>The number of records of the server that have arrived, with which waiting ends.</summary>
    public int HeardCount { get; private set; }

    /// <summary>Whether somebody waits for the answer to the third copy of a message.</summary>
    public bool IsDoubted { get; set; }

    /// <summary>Whether a later session need not know anything of this one.</summary>
    public bool IsEmpty => _unanswered.Count == 0 && _received.IsEmpty;

    /// <summary>Called when a record of the server has arrived.</summary>
    public void Hear() => HeardCount++;

    /// <summary>Records that the session has ended. What was sent in it belongs to an earlier session from now on.</summary>
    public void EndSession()
    {
        _session++;
        HeardCount++;
        Array.Fill(_recent, None);
    }

    /// <summary>Returns whether a message was sent before in this session.</summary>
    public bool IsRepeat(ReadOnlySpan<byte> message) => ExpectsAnswer(message) && _recent.AsSpan().Contains(DatagramHeader.ReadMessageId(message).Value);

    /// <summary>
    /// Records a message that is sent. If it is the third copy without any record of the server in between, returns how long its answer may take: as long as the
    /// first transmission has waited for one. If none has arrived then, the server seems to have lost the session. Returns <see langword="null"/> for others.
    /// </summary>
    public TimeSpan? Note(ReadOnlySpan<byte> message, TimeSpan now)
    {
        if (!ExpectsAnswer(message)) { return null; }
        var id = DatagramHeader.ReadMessageId(message);
        var wait = Count(id, now);
        if (MayRepeat(message)) { return wait; }
        Forget(now);
        _unanswered.Remove(id);
        if (_unanswered.Count == MostUnanswered) { _unanswered.RemoveAt(0); }
        _unanswered.Add(id, new(_session, ReceivedRequests.TokenOf(message), now));
        return wait;
    }

    /// <summary>Records a message of the server.</summary>
    public void Receive(ReadOnlySpan<byte> message)
    {
        if (message.Length < DatagramHeader.Length) { return; }
        var id = DatagramHeader.ReadMessageId(message);
        if (DatagramHeader.ReadType(message) is MessageType.Acknowledgement or MessageType.Reset)
        {
            if (_unanswered.TryGetValue(id, out var sent) && sent.Session == _session) { _unanswered.Remove(id); }
            return;
        }
        _received.Note(message, id, _session);
        if (_unanswered.Count > 0 && CodeOf(message).IsResponse) { Settle(ReceivedRequests.TokenOf(message)); }
    }

    /// <summary>
    /// Returns whether the message belongs to an earlier session, so that this one must not carry it. It is the retransmission of a request that the server would
    /// execute again, or it answers a message that has come in the earlier session.
    /// </summary>
    public bool Forbids(ReadOnlySpan<byte> message, TimeSpan now)
    {
        if (message.Length < DatagramHeader.Length) { return false; }
        if (!ExpectsAnswer(message)) { return _received.Forbids(message, _session); }
        return _unanswered.TryGetValue(DatagramHeader.ReadMessageId(message), out var sent) && sent.Session != _session && now - sent.SentAt < Lifetime;
    }

    /// <summary>Returns the headers of the requests of earlier sessions that no later one may carry, and that the server has not acknowledged.</summary>
    public IReadOnlyList<byte[]> FindLost()
    {
        var lost = new List<byte[]>();
        foreach (var (id, sent) in _unanswered)
        {
            if (sent.Session == _session) { continue; }
            var header = new byte[DatagramHeader.Length];
            DatagramHeader.Write(header, MessageType.Confirmable, RequestCode.Post, id, tokenNibble: 0);
            lost.Add(header);
        }
        return lost;
    }

    /// <summary>Whether a message is a request or a ping. Others answer messages of the server, and need the session in which those have come.</summary>
    public static bool ExpectsAnswer(ReadOnlySpan<byte> message) => message.Length >= DatagramHeader.Length
        && DatagramHeader.ReadType(message) is var type && CodeOf(message) is var code
        && (code.IsRequest ? type is MessageType.Confirmable or MessageType.NonConfirmable : code.IsEmpty && type == MessageType.Confirmable);

    /// <summary>Whether the server may get a message twice (RFC 7252, section 5.1; RFC 8132, section 2).</summary>
    public static bool MayRepeat(ReadOnlySpan<byte> message) => CodeOf(message) is { IsIdempotent: true } or { IsEmpty: true };

    private static CoapCode CodeOf(ReadOnlySpan<byte> message) => new(message[1]);

    // The copies of different messages do not add up: many first retransmissions at a time show a short loss, not a lost session.
    private TimeSpan? Count(MessageId id, TimeSpan now)
    {
        var at = _recent.AsSpan().IndexOf(id.Value);
        if (at < 0)
        {
            (_recent[_next], _copies[_next]) = (id.Value, new Copies(now, TimeSpan.Zero, HeardCount, 0));
            _next = (_next + 1) % MostRecent;
            return null;
        }
        ref var copies = ref _copies[at];
        if (copies.FirstWait == TimeSpan.Zero) { copies.FirstWait = now - copies.SentAt; }
        copies.Repeats = copies.HeardCount == HeardCount ? copies.Repeats + 1 : 1;
        copies.HeardCount = HeardCount;
        return copies.Repeats >= RepeatsUntilLost ? copies.FirstWait : null;
    }

    private void Settle(Token token)
    {
        foreach (var (id, sent) in _unanswered)
        {
            if (sent.Session != _session || sent.Token != token) { continue; }
            _unanswered.Remove(id);
            return;
        }
    }

    private void Forget(TimeSpan now)
    {
        while (_unanswered.Count > 0 && now - _unanswered.GetAt(0).Value.SentAt >= Lifetime) { _unanswered.RemoveAt(0); }
    }
}
