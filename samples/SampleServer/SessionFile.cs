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
        var at = text.LastIndexOf(':');
        if (at < 1) { return $"--dtls-sessions takes FILE:SECRET, not '{text}'. The secret has at least 32 characters."; }
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
