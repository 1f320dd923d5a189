namespace CoAP.Observing;

/// <summary>The sequence numbers that order notifications for clients (RFC 7641, section 4.4).</summary>
/// <remarks>
/// All resources of a lane share one sequence, so that all observers of a representation get the same bytes, and a repeated registration
/// continues above its last number. The sequence has 63 bits and never wraps; the 24 bits on the wire do. The sequence must not advance by 2^23
/// in less than 256 seconds, so each block of 2^22 numbers starts at least 256 seconds after the block before it. Any 2^23 consecutive numbers
/// contain a whole block.
/// </remarks>
/// <param name="start">The number before the first one.</param>
/// <param name="now">The time.</param>
internal sealed class NotificationOrder(long start, long now)
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

    /// <summary>Returns the next number, if one is available.</summary>
    /// <param name="now">The time.</param>
    /// <param name="retryAt">If none is available, the time at which one is.</param>
    public bool TryNext(long now, out long retryAt)
    {
        retryAt = now;
        if (_left == 0)
        {
            retryAt = _blockBegan + BlockTime;
            if (now < retryAt) { return false; }
            (_left, _blockBegan) = (BlockSize, now);
        }
        _left--;
        Last++;
        return true;
    }

    /// <summary>Continues above numbers that were used before a restart.</summary>
    public void ContinueAfter(long number) => Last = Math.Max(Last, number);
}
