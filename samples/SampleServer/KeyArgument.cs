using System.Text;
using CoAP;

namespace Samples;

/// <summary>A pre-shared key on the command line, IDENTITY:KEY. Both samples take it.</summary>
internal static class KeyArgument
{
    /// <summary>Adds a key. Returns what is wrong with the text; <see langword="null"/> if nothing is.</summary>
    public static string? TryAdd(string text, List<PreSharedKey> keys)
    {
        var at = text.IndexOf(':', StringComparison.Ordinal);
        if (at < 1) { return "--psk takes IDENTITY:KEY. The key is text, or hexadecimal digits after 0x."; }
        var (identity, key) = (text[..at], text[(at + 1)..]);
        try
        {
            var isHex = key.StartsWith("0x", StringComparison.OrdinalIgnoreCase);
            keys.Add(new PreSharedKey(identity, isHex ? Convert.FromHexString(key[2..]) : Encoding.UTF8.GetBytes(key)));
            return null;
        }
        catch (Exception exception) when (exception is ArgumentException or FormatException)
        {
            return $"--psk {identity}: {exception.Message}";
        }
    }

    /// <summary>
    /// Returns the error for an option that does not exist. Only the name is shown, because a key may follow it, or stand without it.
    /// </summary>
    public static string Unknown(string text) =>
        text.StartsWith('-') ? $"Unknown option '{text.Split('=', ':')[0]}'." : "An option is required before a value.";
}
