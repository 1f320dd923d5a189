using System.Buffers.Binary;
using System.Security.Cryptography;

namespace CoAP.Dtls;

/// <summary>The challenges by which a peer shows that it receives what is sent to it now.</summary>
/// <remarks>
/// Each challenge has a new random number (RFC 9853, section 5.3). With the return routability check, the number is the cookie. Without it, the number gives the message IDs
/// of two CoAP pings, which every endpoint answers with a Reset each (RFC 7252, section 4.3). The last three challenges count, each for ten timeouts: an answer
/// over a slow network may take longer than the time to the next challenge.
/// </remarks>
internal sealed class FreshnessChallenge
{
    private const int Most = 3, MostDoublings = 3, TimeoutsOfLife = 10;
    private const int HeaderLength = 4;
    private const byte ConfirmableEmpty = 0x40, TypeMask = 0x30, Reset = 0x30;
    private const int AllAnswered = 0b11;

    private readonly Sent[] _last = new Sent[Most];
    private int _count;

    private Span<Sent> Last => _last.AsSpan(0, Math.Min(_count, Most));

    /// <summary>Returns the type of the records of a challenge.</summary>
    public static ContentType TypeFor(DtlsSession session) => session.HasRoutabilityCheck ? ContentType.ReturnRoutabilityCheck : ContentType.ApplicationData;

    /// <summary>Returns whether it is time for another challenge. The time between two doubles from <paramref name="timeout"/> to eight times as much.</summary>
    public bool IsDue(TimeSpan now, TimeSpan timeout) =>
        _count == 0 || now - _last[(_count - 1) % Most].At >= timeout * (1 << Math.Min(_count - 1, MostDoublings));

    /// <summary>Draws another challenge. Returns the contents of its records.</summary>
    /// <param name="now">The time.</param>
    /// <param name="hasCheck">Whether the peer has the return routability check.</param>
    public IReadOnlyList<byte[]> Draw(TimeSpan now, bool hasCheck)
    {
        var sent = new Sent(BinaryPrimitives.ReadUInt64BigEndian(RandomNumberGenerator.GetBytes(sizeof(ulong))), now);
        _last[_count++ % Most] = sent;
        return hasCheck
            ? [new RoutabilityMessage(RoutabilityMessageType.PathChallenge, sent.Number).ToBytes()]
            : [Ping(sent.FirstId), Ping(sent.SecondId)];
    }

    /// <summary>Returns whether a cookie is the one of a recent challenge.</summary>
    public bool IsMetBy(ulong cookie, TimeSpan now, TimeSpan timeout)
    {
        foreach (var sent in Last)
        {
            if (sent.IsValid(now, timeout) && sent.Number == cookie) { return true; }
        }
        return false;
    }

    /// <summary>
    /// Processes the Reset that answers a ping of a recent challenge. Returns <see langword="false"/> if the message is something else.
    /// </summary>
    /// <param name="message">The message.</param>
    /// <param name="now">The time.</param>
    /// <param name="timeout">The time to the second challenge.</param>
    /// <param name="isMet">Whether both pings were answered.</param>
    public bool TryAccept(ReadOnlySpan<byte> message, TimeSpan now, TimeSpan timeout, out bool isMet)
    {
        isMet = false;
        if (!IsReset(message)) { return false; }
        var id = BinaryPrimitives.ReadUInt16BigEndian(message[2..]);
        foreach (ref var sent in Last)
        {
            var answered = sent.FirstId == id ? 0b01 : sent.SecondId == id ? 0b10 : 0;
            if (answered == 0 || !sent.IsValid(now, timeout)) { continue; }
            sent.Answered |= answered;
            isMet = sent.Answered == AllAnswered;
            return true;
        }
        return false;
    }

    /// <summary>
    /// Voids all challenges. Called with a Reset that answers no ping: a peer with a session could otherwise send a Reset for each message ID, and so prove an
    /// address at which it receives nothing.
    /// </summary>
    public void Void()
    {
        foreach (ref var sent in Last) { sent.IsVoid = true; }
    }

    /// <summary>Returns whether a message is a Reset.</summary>
    public static bool IsReset(ReadOnlySpan<byte> message) => message.Length == HeaderLength && message[1] == 0 && (message[0] & TypeMask) == Reset;

    private static byte[] Ping(ushort id) => [ConfirmableEmpty, 0, (byte)(id >> 8), (byte)id];

    private struct Sent(ulong number, TimeSpan at)
    {
        public readonly ulong Number => number;

        public readonly TimeSpan At => at;

        public int Answered { get; set; }

        public bool IsVoid { get; set; }

        public readonly ushort FirstId => (ushort)number;

        // Never the first one.
        public readonly ushort SecondId => (ushort)(FirstId + 1 + (ushort)(number >> 16) % ushort.MaxValue);

        public readonly bool IsValid(TimeSpan now, TimeSpan timeout) => !IsVoid && now - at < TimeoutsOfLife * timeout;
    }
}
