using System.Globalization;
using System.Text;

namespace CoAP.Tool.Printing;

/// <summary>Text of a peer, made safe for a terminal: a peer must not move the cursor or change colors.</summary>
internal static class Printable
{
    /// <summary>Replaces control and format characters, in the form "\u001b".</summary>
    /// <param name="text">The text of a peer.</param>
    /// <param name="keepsLines">Whether line ends and tabs stay as they are.</param>
    public static string Of(string text, bool keepsLines = false)
    {
        // Alone, a carriage return would let a text overwrite the line before it.
        if (keepsLines) { text = text.Replace("\r\n", "\n", StringComparison.Ordinal); }
        if (!text.Any(letter => IsUnsafe(letter, keepsLines))) { return text; }
        var safe = new StringBuilder();
        foreach (var letter in text)
        {
            if (IsUnsafe(letter, keepsLines)) { safe.Append(CultureInfo.InvariantCulture, $"\\u{(int)letter:x4}"); }
            else { safe.Append(letter); }
        }
        return safe.ToString();
    }

    private static bool IsUnsafe(char letter, bool keepsLines) =>
        !(keepsLines && letter is '\n' or '\t')
        && CharUnicodeInfo.GetUnicodeCategory(letter) is UnicodeCategory.Control or UnicodeCategory.Format or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator;
}
