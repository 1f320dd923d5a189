using System.Globalization;
using System.Numerics;
using System.Text;
using CoAP.Options;

namespace CoAP.Tool.Requests;

/// <summary>An option on the command line: NAME, NAME=VALUE, NUMBER or NUMBER=VALUE.</summary>
internal static class OptionArgument
{
    private const string HexPrefix = "0x";

    /// <exception cref="FormatException">The name is unknown, or the value does not fit the option.</exception>
    public static CoapOption Parse(string text)
    {
        var at = text.IndexOf('=', StringComparison.Ordinal);
        var (name, value) = at < 0 ? (text, "") : (text[..at], text[(at + 1)..]);
        if (!int.TryParse(name, NumberStyles.None, CultureInfo.InvariantCulture, out var number)) { return Create(text, Find(name), value); }
        if (number > ushort.MaxValue) { throw new FormatException($"Option number {number} is too large; at most {ushort.MaxValue} is allowed."); }
        return OptionRegistry.Default.TryFind(number, out var known) ? Create(text, known!, value) : new UnknownOption(number, BytesOf(value));
    }

    /// <summary>The names of the options for requests, for completion.</summary>
    public static IEnumerable<string> Names => OptionRegistry.Default.Declarations.Where(static one => one.Spaces.Count == 0).Select(static one => one.Name);

    private static OptionDeclaration Find(string name) =>
        OptionRegistry.Default.Declarations.FirstOrDefault(one => one.Spaces.Count == 0 && Bare(one.Name).Equals(Bare(name), StringComparison.OrdinalIgnoreCase))
        ?? throw new FormatException($"Option '{name}' is unknown. Write its registered name, such as If-Match, or its number.");

    private static CoapOption Create(string text, OptionDeclaration declaration, string value)
    {
        var bytes = declaration.Create(new byte[declaration.MinLength]) is UIntOption ? NumberOf(text, value) : BytesOf(value);
        return declaration.Create(bytes) ?? throw new FormatException(
            $"Option '{text}' is {bytes.Length} bytes; {declaration.Name} has {declaration.MinLength} to {declaration.MaxLength} bytes.");
    }

    // A uint of an option has no leading zeros (RFC 7252, section 3.2).
    private static byte[] NumberOf(string text, string value)
    {
        if (value.StartsWith(HexPrefix, StringComparison.OrdinalIgnoreCase)) { return BytesOf(value); }
        if (!uint.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var number))
        {
            throw new FormatException($"Option '{text}' needs a number from 0 to {uint.MaxValue}, such as {text.Split('=')[0]}=1.");
        }
        byte[] bytes = [(byte)(number >> 24), (byte)(number >> 16), (byte)(number >> 8), (byte)number];
        return bytes[(BitOperations.LeadingZeroCount(number) / 8)..];
    }

    private static byte[] BytesOf(string value)
    {
        if (!value.StartsWith(HexPrefix, StringComparison.OrdinalIgnoreCase)) { return Encoding.UTF8.GetBytes(value); }
        try
        {
            return Convert.FromHexString(value[HexPrefix.Length..]);
        }
        catch (FormatException exception)
        {
            throw new FormatException($"'{value}' is not a sequence of bytes: after 0x, an even number of hexadecimal digits is expected.", exception);
        }
    }

    private static string Bare(string name) => name.Replace("-", "", StringComparison.Ordinal);
}
