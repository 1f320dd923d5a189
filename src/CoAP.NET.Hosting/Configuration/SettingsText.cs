using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Net;

namespace CoAP.Hosting;

/// <summary>Reads one value from text. Independent of the culture.</summary>
internal static class SettingsText
{
    private static readonly (string Unit, double Milliseconds)[] Units =
        [("ms", 1), ("min", 60_000), ("s", 1000), ("h", 3_600_000), ("d", 86_400_000)];

    /// <summary>Whether values of a type are read here.</summary>
    public static bool Reads(Type type)
    {
        var plain = Nullable.GetUnderlyingType(type) ?? type;
        return plain.IsEnum || plain == typeof(bool) || plain == typeof(int) || plain == typeof(long) || plain == typeof(double)
            || plain == typeof(TimeSpan) || plain == typeof(string) || plain == typeof(IPEndPoint) || plain == typeof(IPAddress)
            || plain == typeof(ServerEndpoint) || plain == typeof(ReadOnlyMemory<byte>);
    }

    /// <summary>Reads a value.</summary>
    /// <param name="type">The type of the value, which may be nullable.</param>
    /// <param name="text">The text. <see langword="null"/> and "" are <see langword="null"/> if the type allows it.</param>
    /// <param name="value">The value.</param>
    /// <param name="expected">What to write instead.</param>
    public static bool TryRead(Type type, string? text, out object? value, [NotNullWhen(false)] out string? expected)
    {
        value = null;
        expected = null;
        if (string.IsNullOrWhiteSpace(text))
        {
            if (Nullable.GetUnderlyingType(type) is not null || type == typeof(IPEndPoint) || type == typeof(string)) { return true; }
            text = "";
        }
        (value, expected) = Read(Nullable.GetUnderlyingType(type) ?? type, text.Trim());
        if (value is null) { expected ??= "another value"; }
        else { expected = null; }
        return value is not null;
    }

    private static (object? Value, string Expected) Read(Type type, string text)
    {
        var culture = CultureInfo.InvariantCulture;
        if (type == typeof(string)) { return (text, ""); }
        if (type == typeof(bool)) { return (bool.TryParse(text, out var flag) ? flag : null, "true or false"); }
        if (type == typeof(int)) { return (int.TryParse(text, NumberStyles.AllowLeadingSign, culture, out var number) ? number : null, WholeNumber(text, int.MaxValue, "4096")); }
        if (type == typeof(long)) { return (long.TryParse(text, NumberStyles.AllowLeadingSign, culture, out var number) ? number : null, WholeNumber(text, long.MaxValue, "65536")); }
        if (type == typeof(double)) { return (double.TryParse(text, NumberStyles.Float, culture, out var number) ? number : null, "a number with a point, such as 1.5"); }
        if (type == typeof(TimeSpan)) { return (ReadTime(text), "a time with a unit, such as 00:00:05, 5s, 250ms, 10min, 1h or 2d"); }
        if (type.IsEnum) { return (ReadEnum(type, text), string.Join(" or ", Enum.GetNames(type))); }
        if (type == typeof(IPAddress))
        {
            return (IPAddress.TryParse(text, out var address) && HasKnownZone(text, address) ? address : null, "an IP address, such as 224.0.1.187 or ff02::fd");
        }
        if (type == typeof(IPEndPoint))
        {
            if (!text.Contains(':', StringComparison.Ordinal) || !IPEndPoint.TryParse(text, out var place))
            {
                return (null, "an address and a port, such as 192.0.2.1:0 or [::]:5683");
            }
            return (HasKnownZone(text, place.Address) ? place : null, "an address whose zone is a network interface of the machine, such as [fe80::1%eth0]:0");
        }
        if (type == typeof(ReadOnlyMemory<byte>)) { return (ReadBytes(text), "bytes in hexadecimal digits, such as 0a1b"); }
        return (null, "another value");
    }

    /// <summary>Whether the text has no zone, or one that the machine knows. The platform drops an unknown one silently.</summary>
    public static bool HasKnownZone(string text, IPAddress address) =>
        !text.Contains('%', StringComparison.Ordinal) || address.ScopeId != 0;

    // Digits that are not a number are one that is too large.
    private static string WholeNumber(string text, long most, string example) => text.Length > 0 && text.All(char.IsAsciiDigit)
        ? $"a whole number of at most {most}"
        : $"a whole number, such as {example}";

    // "5" alone would be five days for TimeSpan.
    private static TimeSpan? ReadTime(string text)
    {
        var culture = CultureInfo.InvariantCulture;
        if (text.Equals("infinite", StringComparison.OrdinalIgnoreCase)) { return Timeout.InfiniteTimeSpan; }
        if (text.Contains(':', StringComparison.Ordinal)) { return TimeSpan.TryParse(text, culture, out var time) ? time : null; }
        foreach (var (unit, milliseconds) in Units)
        {
            if (!text.EndsWith(unit, StringComparison.OrdinalIgnoreCase)) { continue; }
            if (!double.TryParse(text.AsSpan(0, text.Length - unit.Length).Trim(), NumberStyles.Float, culture, out var number)) { return null; }
            var ticks = number * milliseconds * TimeSpan.TicksPerMillisecond;
            return double.IsFinite(ticks) && Math.Abs(ticks) < long.MaxValue ? new TimeSpan((long)Math.Round(ticks)) : null;
        }
        return null;
    }

    // The parser also accepts numbers, which say nothing to the reader of a configuration.
    private static object? ReadEnum(Type type, string text) =>
        text.Length > 0 && char.IsAsciiLetter(text[0]) && Enum.TryParse(type, text, ignoreCase: true, out var value) ? value : null;

    private static ReadOnlyMemory<byte>? ReadBytes(string text)
    {
        try { return new ReadOnlyMemory<byte>(Convert.FromHexString(text)); }
        catch (FormatException) { return null; }
    }
}
