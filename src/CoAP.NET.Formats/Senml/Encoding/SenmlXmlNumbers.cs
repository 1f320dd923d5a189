using System.Buffers;
using System.Globalization;

namespace CoAP.Formats;

/// <summary>The forms of numbers and Boolean values in XML: the types double and boolean of XML Schema (RFC 8428, section 7).</summary>
internal static class SenmlXmlNumbers
{
    private const string WhiteSpace = " \t\r\n";

    private static readonly SearchValues<char> Letters = SearchValues.Create("0123456789+-.eE");

    /// <summary>
    /// Returns a number, or <see langword="null"/> if the text is none. "INF", "-INF" and "NaN" are numbers of this type.
    /// </summary>
    public static double? Parse(string text) => text.AsSpan().Trim(WhiteSpace) switch
    {
        "INF" or "+INF" => double.PositiveInfinity,
        "-INF" => double.NegativeInfinity,
        "NaN" => double.NaN,
        // The parser of the runtime also accepts the words "Infinity" and "nan".
        var digits when digits.ContainsAnyExcept(Letters) => null,
        var digits => double.TryParse(digits, NumberStyles.Float, CultureInfo.InvariantCulture, out var number) ? number : null,
    };

    /// <summary>Returns a Boolean value, or <see langword="null"/> if the text is none.</summary>
    public static bool? ParseBoolean(string text) => text.AsSpan().Trim(WhiteSpace) switch
    {
        "true" or "1" => true,
        "false" or "0" => false,
        _ => null,
    };

    /// <summary>Returns the text of a finite number. The "e" of an exponent is in lower case, as in the examples of RFC 8428.</summary>
    public static string Format(double value) => value.ToString(CultureInfo.InvariantCulture).Replace('E', 'e');
}
