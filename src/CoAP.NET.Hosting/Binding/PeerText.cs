using System.Globalization;

namespace CoAP.Hosting;

/// <summary>Text that a peer chose, for messages that are sent or logged.</summary>
internal static class PeerText
{
    private const int MaxLength = 64;

    /// <summary>Returns the text without control and format characters, and cut after 64 characters.</summary>
    public static string Clean(string text)
    {
        if (text.Length <= MaxLength && text.All(IsPrintable)) { return text; }
        var isCut = text.Length > MaxLength;
        var length = !isCut ? text.Length : char.IsHighSurrogate(text[MaxLength - 1]) ? MaxLength - 1 : MaxLength;
        var cleaned = string.Concat(text.Take(length).Select(character => IsPrintable(character) ? character : ' '));
        return isCut ? cleaned + "…" : cleaned;
    }

    private static bool IsPrintable(char character) => char.GetUnicodeCategory(character) is not
        (UnicodeCategory.Control or UnicodeCategory.Format or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator);
}
