using System.Globalization;
using System.Text;

namespace CoAP.Vocabulary;

/// <summary>Text that a peer chose, such as a path or a diagnostic message, for logs and exceptions.</summary>
internal static class ForeignText
{
    private const int MaxLength = 256;

    /// <summary>
    /// Returns the text without characters that could forge another line of a log or reverse its order, and cut if it is long. Each such character
    /// becomes a space.
    /// </summary>
    public static string Clean(string text)
    {
        if (text.Length <= MaxLength && text.All(IsPrintable)) { return text; }
        var length = text.Length <= MaxLength ? text.Length : char.IsHighSurrogate(text[MaxLength - 1]) ? MaxLength - 1 : MaxLength;
        var cleaned = new StringBuilder(text, 0, length, length + 1);
        for (var i = 0; i < length; i++)
        {
            if (!IsPrintable(cleaned[i])) { cleaned[i] = ' '; }
        }
        return (length < text.Length ? cleaned.Append('…') : cleaned).ToString();
    }

    // Format characters include those that set the direction of the text.
    private static bool IsPrintable(char character) => char.GetUnicodeCategory(character) is not
        (UnicodeCategory.Control or UnicodeCategory.Format or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator);
}
