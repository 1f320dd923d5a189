using System.Buffers;
using System.Text;

namespace CoAP.Formats;

/// <summary>Says what is wrong with texts.</summary>
internal static class TextErrors
{
    private const int LongestQuote = 40;

    /// <summary>Returns the offset of the first byte that is not part of a valid character.</summary>
    internal static int FindInvalid(ReadOnlySpan<byte> text)
    {
        var offset = 0;
        while (Rune.DecodeFromUtf8(text[offset..], out _, out var length) is OperationStatus.Done) { offset += length; }
        return offset;
    }

    /// <summary>Returns a text for an error message, cut off if it is long, but not inside of a surrogate pair.</summary>
    internal static string Quote(string text)
    {
        if (text.Length <= LongestQuote) { return text; }
        var length = char.IsHighSurrogate(text[LongestQuote - 1]) ? LongestQuote - 1 : LongestQuote;
        return text[..length] + "...";
    }
}
