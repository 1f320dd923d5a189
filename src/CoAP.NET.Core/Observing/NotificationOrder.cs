namespace CoAP.Observing;

/// <summary>The numbers by which clients see which of two notifications is the newer one (RFC 7641, section 4.4).</summary>
/// <remarks>
/// All representations of a lane draw from one row, so that the same bytes may go to all observers of one, and an observation that is registered
/// again goes on above its last number. The row itself has 63 bits and never comes round; the 24 bits on the wire do.
/// The row must not gain 2^23 in less than 256 seconds: so a block of 2^22 numbers begins at the earliest 256 seconds after the one before it
/// did. Any 2^23 numbers in a row span a whole block.
/// </remarks>
/// <param name="start">The number before the first one.</param>
/// <param name="now">The time.</param>
internal sealed class NotificationOrder(long start, long now)
{
    /// <summary>How many numbers may be given out in 256 seconds.</summary>
    public const int BlockSize = 1 << 22;

    private const uint WireMask = 0xFF_FFFF;
    private static readonly long BlockTime = TimeSpan.FromSeconds(256).Ticks;

    private int _left = BlockSize;
    private long _blockBegan = now;

    /// <summary>The number that was given out last.</summary>
    public long Last { get; private set; } = start;

    /// <summary>What stands in the Observe option.</summary>
    public static uint OnWire(long number) => (uint)number & WireMask;

    /// <summary>Gives out the next number.</summary>
    /// <param name="now">The time.</param>
    /// <param name="retryAt">Where there is none: the time from which there is one.</param>
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

    /// <summary>Goes on above numbers that were given out before a restart.</summary>
    public void GoAbove(long number) => Last = Math.Max(Last, number);
}
