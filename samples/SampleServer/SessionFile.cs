using System.Text;
using CoAP;

namespace SampleServer;

/// <summary>The file of DTLS sessions on the command line, FILE:SECRET.</summary>
internal static class SessionFile
{
    /// <summary>Creates the store. Returns what is wrong with the text; <see langword="null"/> if nothing is.</summary>
    public static string? TryOpen(string text, out FileDtlsSessionStore? store)
    {
        store = null;
        // The first colon, unless it is that of a drive: no part of the secret becomes the name of the file.
        var hasDrive = text is [var letter, ':', '\\' or '/', ..] && char.IsAsciiLetter(letter);
        var at = text.IndexOf(':', hasDrive ? 2 : 0);
        if (at < 1) { return "--dtls-sessions takes FILE:SECRET. The secret has at least 32 characters."; }
        try
        {
            store = new FileDtlsSessionStore(text[..at], Encoding.UTF8.GetBytes(text[(at + 1)..]));
            return null;
        }
        catch (ArgumentException exception)
        {
            return $"--dtls-sessions: {exception.Message}";
        }
    }
}
