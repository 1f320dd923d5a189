using System.Buffers;

namespace CoAP.Discovery;

/// <summary>Which characters may stand where in the link format (RFC 6690, section 2), and which attributes occur once.</summary>
internal static class LinkSyntax
{
    private const string AlphaDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

    /// <summary>A name: "parmname", with the star of an extended value (RFC 5987, section 3.2.1).</summary>
    public static readonly SearchValues<char> Name = SearchValues.Create(AlphaDigits + "!#$&+-.^_`|~*");

    /// <summary>A value without quotes: "ptoken".</summary>
    public static readonly SearchValues<char> Token = SearchValues.Create(AlphaDigits + "!#$%&'()*+-./:<=>?@[]^_`{|}~");

    /// <summary>What no target can hold. The rest is left to whoever resolves it, so that one odd link does not cost all others.</summary>
    public static readonly SearchValues<char> NotTarget = SearchValues.Create([.. Controls, ' ', '<', '>', '"']);

    /// <summary>What no value can hold, quoted or not.</summary>
    public static readonly SearchValues<char> NotValue = SearchValues.Create([.. Controls.Where(character => character != '\t')]);

    private static IEnumerable<char> Controls => Enumerable.Range(0, 0x20).Append(0x7F).Select(code => (char)code);

    public static bool IsBlank(char character) => character is ' ' or '\t' or '\r' or '\n';

    public static bool IsName(ReadOnlySpan<char> name) =>
        !name.IsEmpty && !name.ContainsAnyExcept(Name) && name[..^1].IndexOf('*') < 0 && name is not "*";

    /// <summary>A bit for each attribute that a link has at most once; 0 for all others.</summary>
    public static int BitOfSingle(string name) => name switch
    {
        "rt" => 1,
        "if" => 1 << 1,
        "sz" => 1 << 2,
        "ct" => 1 << 3,
        "rel" => 1 << 4,
        "title" => 1 << 5,
        "title*" => 1 << 6,
        "type" => 1 << 7,
        "media" => 1 << 8,
        "anchor" => 1 << 9,
        _ => 0,
    };

    /// <summary>Whether readers skip a second one (RFC 5988, sections 5.3 and 5.4) and need not complain.</summary>
    public static bool IsSecondSkipped(string name) => name is "rel" or "title" or "title*" or "type" or "media";

    /// <summary>Whether the value is a list separated by blanks (RFC 6690, sections 2 and 3; RFC 7252, section 7.2.1).</summary>
    public static bool IsList(string name) => name is "rt" or "if" or "rel" or "rev" or "ct";
}
