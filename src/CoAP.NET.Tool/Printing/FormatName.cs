using System.CommandLine.Parsing;
using System.Globalization;

namespace CoAP.Tool.Printing;

/// <summary>Names of Content-Formats on the command line: "json", "application/json" or 50.</summary>
internal static class FormatName
{
    private const string TypePrefix = "application/";

    private static readonly Dictionary<string, uint> ShortNames = new(StringComparer.OrdinalIgnoreCase)
    {
        ["text"] = ContentFormats.TextPlain,
        ["bytes"] = ContentFormats.OctetStream,
    };

    /// <summary>The names that completion offers.</summary>
    public static IReadOnlyList<string> Common { get; } = ["text", "json", "cbor", "xml", "link-format", "senml+json", "senml+cbor", "octet-stream"];

    public static bool TryParse(string text, out uint format)
    {
        if (uint.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out format)) { return format <= ushort.MaxValue; }
        return ShortNames.TryGetValue(text, out format)
            || ContentFormats.TryGetId(text.Contains('/') ? text : TypePrefix + text, out format)
            || (text.Equals("text/plain", StringComparison.OrdinalIgnoreCase) && ContentFormats.TryGetName(format = ContentFormats.TextPlain, out _, out _));
    }

    /// <summary>Parses the value of an argument. A wrong value becomes an error of the command line.</summary>
    public static uint? Parse(ArgumentResult argument)
    {
        var text = argument.Tokens is [var token] ? token.Value : "";
        if (TryParse(text, out var format)) { return format; }
        argument.AddError($"Content-Format '{text}' is unknown. Write a number from 0 to 65535, a media type such as application/json, or one of {string.Join(", ", Common)}.");
        return null;
    }

    /// <summary>Returns the name without "application/" and parameters, such as "json", for tables.</summary>
    public static string ShortOf(uint format) => format == ContentFormats.TextPlain ? "text" : Of(format).Split(';')[0].Replace(TypePrefix, "", StringComparison.Ordinal);

    /// <summary>Returns the media type, with the coding if there is one; the number if it is not registered.</summary>
    public static string Of(uint format) => !ContentFormats.TryGetName(format, out var name, out var coding)
        ? format.ToString(CultureInfo.InvariantCulture)
        : coding is null ? name! : $"{name} ({coding})";
}
