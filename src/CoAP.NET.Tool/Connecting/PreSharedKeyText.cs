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
        try
        {
            var isHex = key.StartsWith(HexPrefix, StringComparison.OrdinalIgnoreCase);
            return new PreSharedKey(identity, isHex ? Convert.FromHexString(key[HexPrefix.Length..]) : Encoding.UTF8.GetBytes(key));
        }
        catch (Exception exception) when (exception is ArgumentException or FormatException)
        {
            throw new FormatException($"--psk {identity}: '{key}' is not a key. Write text, or 0x and an even number of hexadecimal digits.", exception);
        }
    }
}
