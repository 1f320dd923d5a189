using System.Buffers.Text;
using System.Globalization;

namespace CoAP.Formats;

/// <summary>Converts points in time to seconds since 1970 and to texts (RFC 8949, sections 3.4.1 and 3.4.2; RFC 3339).</summary>
internal static class CborTimes
{
    /// <summary>The length of the longest text: <c>2013-03-21T20:04:00.1234567Z</c>.</summary>
    internal const int LongestText = 28;

    private const int ShortestText = 20;
    private const long LeastSecond = -62_135_596_800;
    private const long LastSecond = 253_402_300_799;
    private const long TicksPerMicrosecond = TimeSpan.TicksPerMicrosecond;

    /// <summary>Returns the seconds since 1970 if they are whole.</summary>
    internal static bool TryGetWholeSeconds(DateTimeOffset value, out long seconds)
    {
        (seconds, var rest) = Math.DivRem(value.UtcTicks, TimeSpan.TicksPerSecond);
        seconds += LeastSecond;
        return rest == 0;
    }

    /// <summary>
    /// Returns the seconds since 1970 if <see cref="TryFromSeconds(double, out DateTimeOffset)"/> restores the same time from them.
    /// </summary>
    internal static bool TryGetSeconds(DateTimeOffset value, out double seconds)
    {
        seconds = (double)((value.UtcTicks - DateTime.UnixEpoch.Ticks) / (decimal)TimeSpan.TicksPerSecond);
        return TryFromSeconds(seconds, out var restored) && restored.UtcTicks == value.UtcTicks;
    }

    internal static bool TryFromSeconds(long seconds, out DateTimeOffset value)
    {
        var isInRange = seconds is >= LeastSecond and <= LastSecond;
        value = isInRange ? DateTimeOffset.FromUnixTimeSeconds(seconds) : default;
        return isInRange;
    }

    /// <summary>Returns the time, rounded to microseconds: the finest unit that a number of 64 bits can hold for the present.</summary>
    internal static bool TryFromSeconds(double seconds, out DateTimeOffset value)
    {
        value = default;
        var whole = Math.Floor(seconds);
        if (!(whole >= LeastSecond && whole <= LastSecond)) { return false; }
        var microseconds = (long)Math.Round((seconds - whole) * 1_000_000);
        var ticks = DateTime.UnixEpoch.Ticks + ((long)whole * TimeSpan.TicksPerSecond) + (microseconds * TicksPerMicrosecond);
        if (ticks > DateTimeOffset.MaxValue.Ticks) { return false; }
        value = new DateTimeOffset(ticks, TimeSpan.Zero);
        return true;
    }

    /// <summary>Writes a time as a text and returns its length.</summary>
    internal static int Format(DateTimeOffset value, Span<byte> text)
    {
        value.UtcDateTime.TryFormat(text, out var written, "yyyy-MM-dd'T'HH:mm:ss.FFFFFFF'Z'", CultureInfo.InvariantCulture);
        return written;
    }

    /// <summary>
    /// Reads the date and time of RFC 3339, section 5.6. Digits after the seventh of a fraction are ignored. A leap second is the next second.
    /// </summary>
    internal static bool TryParse(ReadOnlySpan<byte> text, out DateTimeOffset value)
    {
        value = default;
        if (text.Length < ShortestText || text[4] != '-' || text[7] != '-' || (text[10] | 0x20) != 't') { return false; }
        if (text[13] != ':' || text[16] != ':') { return false; }
        if (!TryDigits(text[..4], out var year) || !TryDigits(text[5..7], out var month) || !TryDigits(text[8..10], out var day)) { return false; }
        if (!TryDigits(text[11..13], out var hour) || !TryDigits(text[14..16], out var minute)) { return false; }
        if (!TryDigits(text[17..19], out var second)) { return false; }
        if (year < 1 || month is < 1 or > 12 || day < 1 || day > DateTime.DaysInMonth(year, month)) { return false; }
        if (hour > 23 || minute > 59 || second > 60) { return false; }
        var rest = text[19..];
        if (!TryFraction(ref rest, out var fraction) || !TryOffset(rest, out var offset)) { return false; }
        var local = new DateTime(year, month, day, hour, minute, 0).Ticks + (second * TimeSpan.TicksPerSecond) + fraction;
        var utc = local - (offset * TimeSpan.TicksPerMinute);
        if (local > DateTime.MaxValue.Ticks || utc < 0 || utc > DateTime.MaxValue.Ticks) { return false; }
        // DateTimeOffset cannot hold offsets of more than 14 hours: the point in time is the same in UTC.
        value = Math.Abs(offset) <= 14 * 60 ? new DateTimeOffset(local, TimeSpan.FromMinutes(offset)) : new DateTimeOffset(utc, TimeSpan.Zero);
        return true;
    }

    private static bool TryFraction(ref ReadOnlySpan<byte> rest, out long ticks)
    {
        ticks = 0;
        if (rest[0] != '.') { return true; }
        var length = 1;
        for (var unit = TimeSpan.TicksPerSecond / 10; length < rest.Length && char.IsAsciiDigit((char)rest[length]); length++, unit /= 10)
        {
            ticks += (rest[length] - '0') * unit;
        }
        rest = rest[length..];
        return length > 1;
    }

    private static bool TryOffset(ReadOnlySpan<byte> rest, out int minutes)
    {
        minutes = 0;
        if (rest.Length == 1) { return (rest[0] | 0x20) == 'z'; }
        if (rest.Length != 6 || rest[0] is not ((byte)'+' or (byte)'-') || rest[3] != ':') { return false; }
        if (!TryDigits(rest[1..3], out var hour) || !TryDigits(rest[4..6], out var minute) || hour > 23 || minute > 59) { return false; }
        minutes = rest[0] == '-' ? -((hour * 60) + minute) : (hour * 60) + minute;
        return true;
    }

    private static bool TryDigits(ReadOnlySpan<byte> text, out int value) =>
        Utf8Parser.TryParse(text, out value, out var read) && read == text.Length && char.IsAsciiDigit((char)text[0]);
}
