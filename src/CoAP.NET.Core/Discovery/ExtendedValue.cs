using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using CoAP.Uris;

namespace CoAP.Discovery;

/// <summary>Reads values with a character set and a language, such as UTF-8'de'%C3%9Cbersicht (RFC 5987, section 3.2).</summary>
internal static class ExtendedValue
{
    private static readonly SearchValues<char> NotEncoded =
        SearchValues.Create([.. Enumerable.Range(0, 128).Select(code => (char)code).Where(character => character != '%')]);

    public static bool TryRead(string? value, [NotNullWhen(true)] out string? text)
    {
        text = null;
        var parts = value?.Split('\'', 3) ?? [];
        return parts.Length == 3 && parts[0].Equals("UTF-8", StringComparison.OrdinalIgnoreCase)
            && PercentEncoding.TryDecode(parts[2], NotEncoded, "value", 0, out text, out _);
    }
}
