namespace CoAP.Observing;

/// <summary>The sequence numbers that order the notifications about one representation (RFC 7641, section 4.4).</summary>
/// <remarks>
/// All observers of a representation get the same bytes, and a repeated registration continues above its last number. The sequence has 63 bits and never
/// wraps; the 24 bits on the wire do. The sequence must not advance by 2^23 in less than 256 seconds, so each block of 2^22 numbers starts at least 256
/// seconds after the block before it. Any 2^23 consecutive numbers contain a whole block.
/// </remarks>
/// <param name="start">The first number, which registrations get before the first notification.</param>
/// <param name="now">The time.</param>
/// <param name="isLimited">Whether numbers are limited. Over a reliable transport they are not needed (RFC 8323, section 7.1).</param>
internal sealed class NotificationOrder(long start, long now, bool isLimited = true)
{
    /// <summary>The number of sequence numbers in 256 seconds.</summary>
    public const int BlockSize = 1 << 22;

    private const uint WireMask = 0xFF_FFFF;
    private static readonly long BlockTime = TimeSpan.FromSeconds(256).Ticks;

    private int _left = BlockSize;
    private long _blockBegan = now;

    /// <summary>The last number.</summary>
    public long Last { get; private set; } = start;

    /// <summary>The value of the Observe option.</summary>
    public static uint OnWire(long number) => (uint)number & WireMask;

    /// <summary>Takes the next number for a notification, if one is available.</summary>
    /// <param name="now">The time.</param>
    /// <param name="retryAt">If none is available, the time at which one is.</param>
    public bool TryNext(long now, out long retryAt) => TryNext(now, reserve: 0, out retryAt);

    /// <summary>Makes the last number one for a registration. Takes a new number only if the client knows the last one already.</summary>
    /// <param name="now">The time.</param>
    /// <param name="replaced">The last number of the observation that the registration replaces; a smaller number if it replaces none.</param>
    /// <remarks>
    /// Half of the numbers are for notifications, so that a client that registers again and again does not use them all. When the other half is used up,
    /// the client gets the number that it knows, for the state that it knows.
    /// </remarks>
    public void Register(long now, long replaced)
    {
        if (replaced >= Last) { TryNext(now, BlockSize / 2, out _); }
    }

    /// <summary>Continues above numbers that were used before a restart.</summary>
    public void ContinueAfter(long number) => Last = Math.Max(Last, number);

    private bool TryNext(long now, int reserve, out long retryAt)
    {
        retryAt = now;
        if (isLimited && _left <= reserve)
        {
            retryAt = _blockBegan + BlockTime;
            if (now < retryAt) { return false; }
            (_left, _blockBegan) = (BlockSize, now);
        }
        _left -= isLimited ? 1 : 0;
        Last++;
        return true;
    }
}
