using System.Buffers.Binary;
using System.Security.Cryptography;

namespace CoAP.Dtls;

/// <summary>What a peer must repeat before the requests of a restored session are processed: the cookie of a routability check, or two message IDs.</summary>
internal sealed class FreshnessChallenge
{
    private readonly bool[] _isReset = new bool[2];

    public FreshnessChallenge()
    {
        var random = RandomNumberGenerator.GetBytes(sizeof(ulong) + sizeof(uint));
        Cookie = BinaryPrimitives.ReadUInt64BigEndian(random);
        var first = BinaryPrimitives.ReadUInt16BigEndian(random.AsSpan(sizeof(ulong)));
        // Two different ones.
        MessageIds = [first, (ushort)(first + 1 + (BinaryPrimitives.ReadUInt16BigEndian(random.AsSpan(sizeof(ulong) + sizeof(ushort))) % ushort.MaxValue))];
    }

    /// <summary>The cookie of the challenge.</summary>
    public ulong Cookie { get; }

    /// <summary>The message IDs of two empty confirmable messages, which the peer answers with a Reset each (RFC 7252, section 4.3).</summary>
    public IReadOnlyList<ushort> MessageIds { get; }

    /// <summary>The time at which the challenge was last sent; <see langword="null"/> if it was not.</summary>
    public TimeSpan? SentAt { get; set; }

    /// <summary>Returns whether a Reset is the answer to one of the messages.</summary>
    /// <param name="messageId">The message ID of the Reset.</param>
    /// <param name="isMet">Whether both were answered.</param>
    public bool TryAccept(ushort messageId, out bool isMet)
    {
        isMet = false;
        var at = MessageIds[0] == messageId ? 0 : MessageIds[1] == messageId ? 1 : -1;
        if (SentAt is null || at < 0) { return false; }
        _isReset[at] = true;
        isMet = _isReset[0] && _isReset[1];
        return true;
    }
}
