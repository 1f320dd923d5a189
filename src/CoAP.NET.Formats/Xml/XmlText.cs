using System.Globalization;
using System.Xml;

namespace CoAP.Formats;

/// <summary>
/// The texts of elements, and the characters that XML 1.0 can carry: no control characters except tab, line feed and carriage return, no U+FFFE, no
/// U+FFFF, no lone surrogates.
/// </summary>
internal static class XmlText
{
    /// <summary>Throws if a text contains a character that XML cannot carry, even as a reference.</summary>
    /// <exception cref="ArgumentException">The text contains such a character.</exception>
    public static void Check(ReadOnlySpan<char> text)
    {
        var at = IndexOfInvalid(text);
        if (at >= 0)
        {
            throw new ArgumentException(
                $"The text contains U+{(int)text[at]:X4} at index {at}. XML cannot carry this character; write such texts as bytes.", nameof(text));
        }
    }

    /// <summary>Returns the index of the first character that XML cannot carry, or -1.</summary>
    public static int IndexOfInvalid(ReadOnlySpan<char> text)
    {
        if (!text.ContainsAnyInRange('\0', '\x1f') && !text.ContainsAnyInRange('\ud800', '\uffff')) { return -1; }
        for (var i = 0; i < text.Length; i++)
        {
            var character = text[i];
            if (character is (< ' ' and not ('\t' or '\n' or '\r')) or '\ufffe' or '\uffff') { return i; }
            if (!char.IsSurrogate(character)) { continue; }
            if (i + 1 == text.Length || !char.IsSurrogatePair(character, text[i + 1])) { return i; }
            i++;
        }
        return -1;
    }

    /// <summary>Guesses what a text stands for.</summary>
    /// <remarks>A number with more digits than a double holds exactly is a text, so that decimal numbers keep all their digits.</remarks>
    public static ItemKind KindOf(ReadOnlySpan<char> text) => text switch
    {
        "true" or "false" => ItemKind.Boolean,
        "NaN" or "INF" or "-INF" => ItemKind.Float,
        _ when long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out _) => ItemKind.Integer,
        _ when text.Length < 32 && double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var number)
            && text.SequenceEqual(number.ToString("G15", CultureInfo.InvariantCulture)) => ItemKind.Float,
        _ => ItemKind.Text,
    };

    /// <summary>Parses a point in time. Without an offset, it is in UTC.</summary>
    /// <exception cref="FormatException">The text has another form.</exception>
    public static DateTimeOffset ToTimestamp(string text)
    {
        var time = XmlConvert.ToDateTime(text, XmlDateTimeSerializationMode.RoundtripKind);
        return time.Kind == DateTimeKind.Unspecified ? new DateTimeOffset(time, TimeSpan.Zero) : XmlConvert.ToDateTimeOffset(text);
    }
}
