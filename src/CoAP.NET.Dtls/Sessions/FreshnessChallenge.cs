using System.Buffers.Binary;
using System.Security.Cryptography;

namespace CoAP.Dtls;

/// <summary>The challenges by which a peer shows that it receives what is sent to it now.</summary>
/// <remarks>
/// Each challenge has a new random number (RFC 9853, section 5.3). With the return routability check, the number is the cookie. Without it,
/// the number gives the message IDs of two CoAP pings, which every endpoint answers with a Reset each (RFC 7252, section 4.3). An answer
/// counts until the time of its challenge is over (RFC 9853, section 5.5). The next challenge then gets twice as much, up to eight times,
/// because the new path may be slower than the old one.
/// </remarks>
internal sealed class FreshnessChallenge
{
    private const int MostDoublings = 3;
    private const int HeaderLength = 4;
    private const byte ConfirmableEmpty = 0x40, TypeMask = 0x30, Reset = 0x30;
    private const int AllAnswered = 0b11;

    private Sent _last;
    private int _count;

    /// <summary>Returns the type of the records of a challenge.</summary>
    public static ContentType TypeFor(DtlsSession session) => session.HasRoutabilityCheck ? ContentType.ReturnRoutabilityCheck : ContentType.ApplicationData;

    /// <summary>Returns whether the time of the last challenge is over.</summary>
    public bool IsDue(TimeSpan now) => _count == 0 || now >= _last.Until;

    /// <summary>Draws another challenge. Returns the contents of its records.</summary>
    /// <param name="now">The time.</param>
    /// <param name="timeout">The time in which the first challenge must be answered.</param>
    /// <param name="hasCheck">Whether the peer has the return routability check.</param>
    /// <param name="isInUse">Whether a message ID belongs to a message that waits for an answer: a Reset for it would answer that one.</param>
    public IReadOnlyList<byte[]> Draw(TimeSpan now, TimeSpan timeout, bool hasCheck, Predicate<ushort> isInUse)
    {
        var until = now + (timeout * (1 << Math.Min(_count++, MostDoublings)));
        do { _last = new Sent(BinaryPrimitives.ReadUInt64BigEndian(RandomNumberGenerator.GetBytes(sizeof(ulong))), until); }
        while (!hasCheck && (isInUse(_last.FirstId) || isInUse(_last.SecondId)));
        return hasCheck
            ? [new RoutabilityMessage(RoutabilityMessageType.PathChallenge, _last.Number).ToBytes()]
            : [Ping(_last.FirstId), Ping(_last.SecondId)];
    }

    /// <summary>Returns whether a cookie is the one of the last challenge, and has come in time.</summary>
    public bool IsMetBy(ulong cookie, TimeSpan now) => _count > 0 && _last.IsValid(now) && _last.Number == cookie;

    /// <summary>
    /// Processes the Reset that answers a ping of the last challenge. Returns <see langword="false"/> if the message is something else.
    /// </summary>
    /// <param name="message">The message.</param>
    /// <param name="now">The time.</param>
    /// <param name="isMet">Whether both pings were answered.</param>
    public bool TryAccept(ReadOnlySpan<byte> message, TimeSpan now, out bool isMet)
    {
        isMet = false;
        if (_count == 0 || !IsReset(message)) { return false; }
        var id = BinaryPrimitives.ReadUInt16BigEndian(message[2..]);
        var answered = _last.FirstId == id ? 0b01 : _last.SecondId == id ? 0b10 : 0;
        if (answered == 0 || !_last.IsValid(now)) { return false; }
        _last.Answered |= answered;
        isMet = _last.Answered == AllAnswered;
        return true;
    }

    /// <summary>
    /// Voids the challenge. Called with a Reset that answers no ping: a peer with a session could otherwise send a Reset for each message ID, and so prove an
    /// address at which it receives nothing.
    /// </summary>
    public void Void() => _last.IsVoid = true;

    /// <summary>Returns whether a message is a Reset.</summary>
    public static bool IsReset(ReadOnlySpan<byte> message) => message.Length == HeaderLength && message[1] == 0 && (message[0] & TypeMask) == Reset;

    private static byte[] Ping(ushort id) => [ConfirmableEmpty, 0, (byte)(id >> 8), (byte)id];

    private struct Sent(ulong number, TimeSpan until)
    {
        public readonly ulong Number => number;

        public readonly TimeSpan Until => until;

        public int Answered { get; set; }

        public bool IsVoid { get; set; }

        public readonly ushort FirstId => (ushort)number;

        // Never the first one.
        public readonly ushort SecondId => (ushort)(FirstId + 1 + (ushort)(number >> 16) % ushort.MaxValue);

        public readonly bool IsValid(TimeSpan now) => !IsVoid && now < until;
    }
}
