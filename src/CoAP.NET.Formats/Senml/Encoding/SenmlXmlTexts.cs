using System.Globalization;
using System.Text;

namespace CoAP.Formats;

/// <summary>The escape sequences of JSON, which text values have in XML, too (RFC 8428, section 7). They carry characters that XML lacks.</summary>
internal static class SenmlXmlTexts
{
    private const int DigitCount = 4;

    public static string Escape(string text)
    {
        if (!text.Any(NeedsEscape)) { return text; }
        var escaped = new StringBuilder(text.Length + 16);
        foreach (var letter in text)
        {
            _ = letter switch
            {
                '"' or '\\' => escaped.Append('\\').Append(letter),
                _ when NeedsEscape(letter) => escaped.Append(CultureInfo.InvariantCulture, $"\\u{(int)letter:x4}"),
                _ => escaped.Append(letter),
            };
        }
        return escaped.ToString();
    }

    /// <summary>Returns the text that was meant, or <see langword="null"/> if an escape sequence is not valid in JSON.</summary>
    public static string? Unescape(string text)
    {
        if (!text.Contains('\\')) { return text; }
        var plain = new StringBuilder(text.Length);
        for (var i = 0; i < text.Length; i++)
        {
            if (text[i] != '\\')
            {
                plain.Append(text[i]);
                continue;
            }
            if (++i == text.Length) { return null; }
            if (text[i] == 'u')
            {
                if (!TryReadDigits(text.AsSpan(i + 1), out var letter)) { return null; }
                plain.Append(letter);
                i += DigitCount;
            }
            else if (Find(text[i]) is { } letter) { plain.Append(letter); }
            else { return null; }
        }
        var result = plain.ToString();
        return SenmlChecks.HasLoneSurrogate(result) ? null : result;
    }

    // U+FFFE and U+FFFF are not characters of XML.
    private static bool NeedsEscape(char letter) => letter is '"' or '\\' or < ' ' or '\ufffe' or '\uffff';

    private static char? Find(char escape) => escape switch
    {
        '"' or '\\' or '/' => escape,
        'b' => '\b',
        'f' => '\f',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        _ => null,
    };

    private static bool TryReadDigits(ReadOnlySpan<char> text, out char letter)
    {
        letter = default;
        if (text.Length < DigitCount || !ushort.TryParse(text[..DigitCount], NumberStyles.AllowHexSpecifier, null, out var code)) { return false; }
        letter = (char)code;
        return true;
    }
}
