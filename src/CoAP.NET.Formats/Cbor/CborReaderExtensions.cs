using System.Globalization;

namespace CoAP.Formats;

/// <summary>Reads values of the runtime's types that have no item of their own.</summary>
/// <remarks>All methods throw a <see cref="CoapPayloadException"/> if the item has another kind or the value is out of range.</remarks>
public static class CborReaderExtensions
{
    internal const string DateForm = "yyyy-MM-dd";
    internal const string TimeForm = "HH:mm:ss.FFFFFFF";

    // All numbers that double can hold between the limits of TimeSpan lie below 2^63 ticks.
    private const double TickLimit = 9223372036854775808.0;
    private const decimal MostSeconds = 922_337_203_686;
    private static readonly string[] TimestampForms = ["yyyy-MM-ddTHH:mm:ssK", "yyyy-MM-ddTHH:mm:ss.FFFFFFFK"];

    /// <summary>Reads an integer from -128 to 127.</summary>
    public static sbyte ReadSByte(this CborReader reader) => (sbyte)Within(reader, sbyte.MinValue, sbyte.MaxValue);

    /// <summary>Reads an integer from 0 to 255.</summary>
    public static byte ReadByte(this CborReader reader) => (byte)Within(reader, byte.MinValue, byte.MaxValue);

    /// <summary>Reads an integer from -32,768 to 32,767.</summary>
    public static short ReadInt16(this CborReader reader) => (short)Within(reader, short.MinValue, short.MaxValue);

    /// <summary>Reads an integer from 0 to 65,535.</summary>
    public static ushort ReadUInt16(this CborReader reader) => (ushort)Within(reader, ushort.MinValue, ushort.MaxValue);

    /// <summary>Reads an integer from -2^31 to 2^31 - 1.</summary>
    public static int ReadInt32(this CborReader reader) => (int)Within(reader, int.MinValue, int.MaxValue);

    /// <summary>Reads an integer from 0 to 2^32 - 1.</summary>
    public static uint ReadUInt32(this CborReader reader) => (uint)Within(reader, uint.MinValue, uint.MaxValue);

    /// <summary>Reads a number and rounds it to 32 bits. Finite numbers beyond the range of 32 bits are errors.</summary>
    public static float ReadSingle(this CborReader reader)
    {
        var offset = reader.Offset;
        var value = reader.ReadDouble();
        var rounded = (float)value;
        return float.IsInfinity(rounded) && double.IsFinite(value)
            ? throw At(offset, $"The number {Invariant(value)} is out of range; -3.4028235E+38 to 3.4028235E+38 are allowed")
            : rounded;
    }

    /// <summary>Reads a decimal number from a text, an integer or a floating-point number.</summary>
    public static decimal ReadDecimal(this CborReader reader)
    {
        var offset = reader.Offset;
        switch (reader.Peek())
        {
            case ItemKind.Integer:
                return reader.ReadInt64();
            case ItemKind.Float:
                var number = reader.ReadDouble();
                return Math.Abs(number) < 7.9e28
                    ? (decimal)number
                    : throw At(offset, $"The number {Invariant(number)} is out of range of a decimal number");
            default:
                var text = reader.ReadText();
                return decimal.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var value)
                    ? value
                    : throw NotA("decimal number", text, offset);
        }
    }

    /// <summary>Reads a text of one UTF-16 code unit.</summary>
    public static char ReadChar(this CborReader reader)
    {
        var offset = reader.Offset;
        var text = reader.ReadText();
        return text.Length == 1 ? text[0] : throw NotA("single character", text, offset);
    }

    /// <summary>Reads a <see cref="Guid"/> from a text with hyphens.</summary>
    public static Guid ReadGuid(this CborReader reader)
    {
        var offset = reader.Offset;
        var text = reader.ReadText();
        return Guid.TryParseExact(text, "D", out var value) ? value : throw NotA("GUID", text, offset);
    }

    /// <summary>Reads a point in time, also from a text such as "2026-02-28T12:00:00Z" (RFC 3339, section 5.6).</summary>
    public static DateTimeOffset ReadDateTimeOffset(this CborReader reader)
    {
        if (reader.Peek() is not ItemKind.Text) { return reader.ReadTimestamp(); }
        var offset = reader.Offset;
        var text = reader.ReadText();
        return DateTimeOffset.TryParseExact(text, TimestampForms, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var value)
            ? value
            : throw NotA("date and time", text, offset);
    }

    /// <summary>Reads a point in time in UTC.</summary>
    public static DateTime ReadDateTime(this CborReader reader) => reader.ReadDateTimeOffset().UtcDateTime;

    /// <summary>Reads a duration in seconds, also as a text such as "1.50", or from a text such as "1.02:03:04.5".</summary>
    public static TimeSpan ReadTimeSpan(this CborReader reader)
    {
        var offset = reader.Offset;
        switch (reader.Peek())
        {
            case ItemKind.Text:
                var text = reader.ReadText();
                return TryParseTimeSpan(text, out var value) ? value : throw NotA("duration", text, offset);
            case ItemKind.Integer:
                var whole = reader.ReadInt64();
                const long Most = long.MaxValue / TimeSpan.TicksPerSecond;
                return whole is >= -Most and <= Most
                    ? new TimeSpan(whole * TimeSpan.TicksPerSecond)
                    : throw At(offset, $"A duration of {whole} s is out of range; {-Most} s to {Most} s are allowed");
            default:
                var seconds = reader.ReadDouble();
                return TryGetTimeSpan(seconds, out var span) ? span : throw At(offset, $"A duration of {Invariant(seconds)} s is out of range");
        }
    }

    /// <summary>Reads a date from a text such as "2026-02-28".</summary>
    public static DateOnly ReadDateOnly(this CborReader reader)
    {
        var offset = reader.Offset;
        var text = reader.ReadText();
        return DateOnly.TryParseExact(text, DateForm, CultureInfo.InvariantCulture, DateTimeStyles.None, out var value)
            ? value
            : throw NotA("date", text, offset);
    }

    /// <summary>Reads a time of day from a text such as "23:59:59.5".</summary>
    public static TimeOnly ReadTimeOnly(this CborReader reader)
    {
        var offset = reader.Offset;
        var text = reader.ReadText();
        return TimeOnly.TryParseExact(text, TimeForm, CultureInfo.InvariantCulture, DateTimeStyles.None, out var value)
            ? value
            : throw NotA("time of day", text, offset);
    }

    /// <summary>Reads an absolute or relative URI from a text.</summary>
    public static Uri ReadUri(this CborReader reader)
    {
        var offset = reader.Offset;
        var text = reader.ReadText();
        return Uri.TryCreate(text, UriKind.RelativeOrAbsolute, out var value) ? value : throw NotA("URI", text, offset);
    }

    /// <summary>Converts seconds to a duration, rounded to 100 ns.</summary>
    internal static bool TryGetTimeSpan(double seconds, out TimeSpan value)
    {
        var ticks = Math.Round(seconds * TimeSpan.TicksPerSecond);
        var isInRange = ticks is >= -TickLimit and < TickLimit;
        value = isInRange ? new TimeSpan((long)ticks) : default;
        return isInRange;
    }

    // Some devices write numbers as texts.
    private static bool TryParseTimeSpan(string text, out TimeSpan value)
    {
        if (text.Contains(':', StringComparison.Ordinal))
        {
            return TimeSpan.TryParseExact(text.Trim(), "c", CultureInfo.InvariantCulture, out value);
        }
        value = default;
        if (!decimal.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var seconds)) { return false; }
        if (Math.Abs(seconds) > MostSeconds) { return false; }
        var ticks = decimal.Round(seconds * TimeSpan.TicksPerSecond);
        if (ticks is < long.MinValue or > long.MaxValue) { return false; }
        value = new TimeSpan((long)ticks);
        return true;
    }

    private static long Within(CborReader reader, long least, long most)
    {
        var offset = reader.Offset;
        var value = reader.ReadInt64();
        return value >= least && value <= most ? value : throw At(offset, $"The number {value} is out of range; {least} to {most} are allowed");
    }

    private static CoapPayloadException NotA(string what, string text, long offset) =>
        At(offset, $"The text \"{TextErrors.Quote(text)}\" is not a {what}");

    private static CoapPayloadException At(long offset, string message) => new($"{message} (at byte {offset}).", offset);

    private static string Invariant(double value) => value.ToString(CultureInfo.InvariantCulture);
}
