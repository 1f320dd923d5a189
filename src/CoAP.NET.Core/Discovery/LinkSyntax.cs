using System.Buffers;

namespace CoAP.Discovery;

/// <summary>The characters that the link format allows (RFC 6690, section 2), and the attributes that must not be repeated.</summary>
internal static class LinkSyntax
{
    /// <summary>The largest number of attributes of a link that is read. A flag has two characters, but takes 40 bytes of memory.</summary>
    public const int MostAttributes = 64;

    private const string AlphaDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

    private static readonly string[] Singles = ["rt", "if", "sz", "ct", "rel", "title", "title*", "type", "media", "anchor"];

    // RFC 5988, section 5; RFC 7641, section 6; RFC 8613, section 9; RFC 9176, section 9.3.
    private static readonly string[] Known = [.. Singles, "rev", "hreflang", "obs", "osc", "ep", "d", "base", "lt", "et"];

    /// <summary>The characters of a name, "parmname", with the star of an extended value (RFC 5987, section 3.2.1).</summary>
    public static readonly SearchValues<char> Name = SearchValues.Create(AlphaDigits + "!#$&+-.^_`|~*");

    /// <summary>The characters of a value without quotes, "ptoken".</summary>
    public static readonly SearchValues<char> Token = SearchValues.Create(AlphaDigits + "!#$%&'()*+-./:<=>?@[]^_`{|}~");

    /// <summary>The characters that no target may contain. The rest is checked when the target is resolved, so that one wrong link does not
    /// invalidate the others.</summary>
    public static readonly SearchValues<char> NotTarget = SearchValues.Create([.. Controls, ' ', '<', '>', '"']);

    /// <summary>The characters that no value may contain, with or without quotes.</summary>
    public static readonly SearchValues<char> NotValue = SearchValues.Create([.. Controls.Where(character => character != '\t')]);

    private static IEnumerable<char> Controls => Enumerable.Range(0, 0x20).Append(0x7F).Select(code => (char)code);

    public static bool IsBlank(char character) => character is ' ' or '\t' or '\r' or '\n' or '\0';

    public static bool IsName(ReadOnlySpan<char> name) =>
        !name.IsEmpty && !name.ContainsAnyExcept(Name) && name[..^1].IndexOf('*') < 0 && name is not "*";

    /// <summary>Returns a name as a string. All links share the strings of well-known names.</summary>
    public static string NameOf(ReadOnlySpan<char> name)
    {
        foreach (var known in Known)
        {
            if (name.SequenceEqual(known)) { return known; }
        }
        return name.ToString();
    }

    /// <summary>Returns a bit for each attribute that must not be repeated, and 0 for all others.</summary>
    public static int BitOfSingle(string name) => Array.IndexOf(Singles, name) is var index and >= 0 ? 1 << index : 0;

    /// <summary>Whether the value is a list with blanks as separators (RFC 6690, sections 2 and 3; RFC 7252, section 7.2.1).</summary>
    public static bool IsList(string name) => name is "rt" or "if" or "rel" or "rev" or "ct";
}
