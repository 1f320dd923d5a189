using System.Globalization;

namespace CoAP.Formats;

/// <summary>Writes values of the runtime's types that have no item of their own.</summary>
public static class CborWriterExtensions
{
    /// <summary>Writes a text that must not be <see langword="null"/>.</summary>
    /// <exception cref="ArgumentNullException">The text is <see langword="null"/>.</exception>
    public static void WriteString(this CborWriter writer, string value)
    {
        ArgumentNullException.ThrowIfNull(value);
        writer.WriteText(value);
    }

    /// <summary>Writes a decimal number as text, such as "12.50", so that all of its digits are kept.</summary>
    public static void WriteDecimal(this CborWriter writer, decimal value)
    {
        Span<char> text = stackalloc char[64];
        value.TryFormat(text, out var length, default, CultureInfo.InvariantCulture);
        writer.WriteText(text[..length]);
    }

    /// <summary>Writes a character as text.</summary>
    /// <exception cref="ArgumentException">The character is half of a surrogate pair.</exception>
    public static void WriteChar(this CborWriter writer, char value) => writer.WriteText([value]);

    /// <summary>Writes a <see cref="Guid"/> as text, such as "00112233-4455-6677-8899-aabbccddeeff", as JSON does.</summary>
    public static void WriteGuid(this CborWriter writer, Guid value)
    {
        Span<char> text = stackalloc char[36];
        value.TryFormat(text, out _);
        writer.WriteText(text);
    }

    /// <summary>Writes a date and time as a point in time. An unspecified kind means UTC.</summary>
    public static void WriteDateTime(this CborWriter writer, DateTime value) => writer.WriteTimestamp(value.Kind is DateTimeKind.Local
        ? new DateTimeOffset(value.ToUniversalTime())
        : new DateTimeOffset(value.Ticks, TimeSpan.Zero));

    /// <summary>
    /// Writes a duration in seconds: as an integer if the seconds are whole, as a floating-point number if it is exact to
    /// 100 ns, and otherwise as text.
    /// </summary>
    public static void WriteTimeSpan(this CborWriter writer, TimeSpan value)
    {
        if (value.Ticks % TimeSpan.TicksPerSecond == 0)
        {
            writer.WriteInt64(value.Ticks / TimeSpan.TicksPerSecond);
            return;
        }
        var seconds = (double)value.Ticks / TimeSpan.TicksPerSecond;
        if (CborReaderExtensions.TryGetTimeSpan(seconds, out var back) && back == value)
        {
            writer.WriteDouble(seconds);
            return;
        }
        Span<char> text = stackalloc char[32];
        value.TryFormat(text, out var length, "c", CultureInfo.InvariantCulture);
        writer.WriteText(text[..length]);
    }

    /// <summary>Writes a date as text, such as "2026-02-28" (RFC 3339, section 5.6).</summary>
    public static void WriteDateOnly(this CborWriter writer, DateOnly value)
    {
        Span<char> text = stackalloc char[10];
        value.TryFormat(text, out var length, CborReaderExtensions.DateForm, CultureInfo.InvariantCulture);
        writer.WriteText(text[..length]);
    }

    /// <summary>Writes a time of day as text, such as "23:59:59.5" (RFC 3339, section 5.6).</summary>
    public static void WriteTimeOnly(this CborWriter writer, TimeOnly value)
    {
        Span<char> text = stackalloc char[16];
        value.TryFormat(text, out var length, CborReaderExtensions.TimeForm, CultureInfo.InvariantCulture);
        writer.WriteText(text[..length]);
    }

    /// <summary>Writes a URI as text, as it was created.</summary>
    /// <exception cref="ArgumentNullException">The URI is <see langword="null"/>.</exception>
    public static void WriteUri(this CborWriter writer, Uri value)
    {
        ArgumentNullException.ThrowIfNull(value);
        writer.WriteText(value.OriginalString);
    }

    /// <summary>Writes bytes that must not be <see langword="null"/>.</summary>
    /// <exception cref="ArgumentNullException">The array is <see langword="null"/>.</exception>
    public static void WriteByteArray(this CborWriter writer, byte[] value)
    {
        ArgumentNullException.ThrowIfNull(value);
        writer.WriteBytes(value);
    }
}
