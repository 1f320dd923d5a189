using System.CommandLine.Parsing;
using System.Globalization;

namespace CoAP.Tool.Running;

/// <summary>A size on the command line: "65536", "500K", "10M" or "2G".</summary>
internal static class SizeArgument
{
    private const long MaxSize = 1L << 40;

    private static readonly (string Suffix, int Shift)[] Units = [("K", 10), ("M", 20), ("G", 30), ("", 0)];

    /// <summary>Parses the value of an argument. A wrong value becomes an error of the command line.</summary>
    public static long? Parse(ArgumentResult argument)
    {
        var text = argument.Tokens is [var token] ? token.Value : "";
        if (TryParse(text, out var size)) { return size; }
        argument.AddError($"'{text}' is not a size. Write bytes or a number with K, M or G, such as 65536, 500K or 10M; at most {MaxSize >> 30}G.");
        return null;
    }

    public static bool TryParse(string text, out long size)
    {
        foreach (var (suffix, shift) in Units)
        {
            if (!text.EndsWith(suffix, StringComparison.OrdinalIgnoreCase)) { continue; }
            var isNumber = long.TryParse(text[..^suffix.Length], NumberStyles.None, CultureInfo.InvariantCulture, out size) && size <= MaxSize >> shift;
            size <<= shift;
            return isNumber;
        }
        size = 0;
        return false;
    }
}
