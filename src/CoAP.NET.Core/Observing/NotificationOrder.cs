namespace CoAP.Observing;

/// <summary>The sequence numbers that order the notifications about one representation (RFC 7641, section 4.4).</summary>
/// <remarks>
/// <para>All observers of a representation get the same bytes, and a repeated registration continues above its last number. The sequence has 63 bits and
/// never wraps; the 24 bits on the wire do.</para>
/// <para>The sequence must not advance by 2^23 in less than 256 seconds. Therefore, each period of 256 seconds since 1970 has its own block of 2^22
/// numbers: any 2^23 consecutive numbers contain a whole block. Because the clock selects the block, the numbers of a restarted server follow those that
/// it has sent before, even if nothing was stored.</para>
/// </remarks>
internal sealed class NotificationOrder
{
    /// <summary>The number of sequence numbers in 256 seconds.</summary>
    public const int BlockSize = 1 << BlockBits;

    /// <summary>The greatest number to continue after. The clock does not reach it in 8,000 years.</summary>
    public const long MaxStart = 1L << 52;

    private const int BlockBits = 22;
    private const int PeriodSeconds = 256;
    private const uint WireMask = 0xFF_FFFF;
    private const int ForNotifications = 1 << 16;
    private const long PeriodTicks = PeriodSeconds * TimeSpan.TicksPerSecond;

    private readonly bool _isLimited;
    private long _epoch;

    /// <param name="start">The number that registrations get before the first notification.</param>
    /// <param name="now">The time.</param>
    /// <param name="epoch">The ticks from 1970 to time 0.</param>
    /// <param name="isLimited">Whether numbers are limited. Over a reliable transport clients must ignore them (RFC 8323, section 7.1).</param>
    public NotificationOrder(long start, long now, long epoch, bool isLimited = true)
    {
        (_epoch, _isLimited) = (epoch, isLimited);
        Last = Math.Max(start, FirstAt(now, epoch));
        CatchUp(now);
    }

    /// <summary>The last number.</summary>
    public long Last { get; private set; }

    /// <summary>Returns the number that a server begins with, in proportion to the time since 1970. It used smaller ones before a restart.</summary>
    public static long StartAt(DateTimeOffset time) => Math.Max(0, time.ToUnixTimeSeconds()) * (BlockSize / PeriodSeconds);

    /// <summary>
    /// Returns the number that a new representation begins with, above the last number of an earlier one. The last numbers of a block stay free for
    /// notifications, so that representations that come and go do not use them all.
    /// </summary>
    public static long StartAfter(long last) => (last & (BlockSize - 1)) < BlockSize - ForNotifications ? last + 1 : last;

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
    public void ContinueAfter(long number, long now)
    {
        Last = Math.Max(Last, number);
        CatchUp(now);
    }

    private static long FirstAt(long now, long epoch) => (now + epoch) / PeriodTicks << BlockBits;

    // If the clock was set back, or numbers were reserved before a restart, the time of the numbers is ahead of the clock from now on.
    private void CatchUp(long now)
    {
        if (Last < FirstAt(now, _epoch) + BlockSize) { return; }
        var inBlock = (Last & (BlockSize - 1)) * PeriodTicks >> BlockBits;
        _epoch = ((Last >> BlockBits) * PeriodTicks) + inBlock - now;
    }

    private bool TryNext(long now, int reserve, out long retryAt)
    {
        var first = FirstAt(now, _epoch);
        var next = Math.Max(Last + 1, first);
        retryAt = now;
        if (_isLimited && next >= first + BlockSize - reserve)
        {
            retryAt = (((now + _epoch) / PeriodTicks) + 1) * PeriodTicks - _epoch;
            return false;
        }
        Last = next;
        return true;
    }
}
