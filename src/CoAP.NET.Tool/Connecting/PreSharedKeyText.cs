using System.Text;

namespace CoAP.Tool.Connecting;

/// <summary>A pre-shared key on the command line: IDENTITY:KEY.</summary>
internal static class PreSharedKeyText
{
    private const string HexPrefix = "0x";

    /// <exception cref="FormatException">The text is not an identity and a key.</exception>
    public static PreSharedKey Parse(string text)
    {
        var at = text.IndexOf(':', StringComparison.Ordinal);
        if (at < 1) { throw new FormatException("--psk takes IDENTITY:KEY. The key is text, or 0x and hexadecimal digits."); }
        var (identity, key) = (text[..at], text[(at + 1)..]);
        // The key is not shown, not even a wrong one.
        if (!TryReadKey(key, out var bytes))
        {
            throw new FormatException(
                $"--psk {identity}: the key has 0x, but not an even number of hexadecimal digits after it. "
                + "Write text, or 0x and hexadecimal digits.");
        }
        try { return new PreSharedKey(identity, bytes); }
        catch (ArgumentException exception)
        {
            throw new FormatException($"--psk {identity}: {exception.Message.Split(" (Parameter")[0]}", exception);
        }
    }

    private static bool TryReadKey(string key, out byte[] bytes)
    {
        bytes = [];
        if (!key.StartsWith(HexPrefix, StringComparison.OrdinalIgnoreCase))
        {
            bytes = Encoding.UTF8.GetBytes(key);
            return true;
        }
        try { bytes = Convert.FromHexString(key[HexPrefix.Length..]); }
        catch (FormatException) { return false; }
        return true;
    }
}
