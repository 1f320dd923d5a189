using System.CommandLine.Parsing;
using System.Globalization;

namespace CoAP.Tool.Connecting;

/// <summary>A time on the command line: "10", "2.5s", "500ms", "5m".</summary>
internal static class Duration
{
    private const double MaxSeconds = 1e6;

    private static readonly (string Suffix, double Seconds)[] Units = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("", 1)];

    /// <summary>Parses the value of an argument. A wrong value becomes an error of the command line.</summary>
    public static TimeSpan? Parse(ArgumentResult argument)
    {
        var text = argument.Tokens is [var token] ? token.Value : "";
        if (TryParse(text, out var time)) { return time; }
        argument.AddError($"{argument.Argument.Name} takes a time above 0 and up to {MaxSeconds:0} s, such as 10, 2.5s or 500ms, not '{text}'.");
        return null;
    }

    /// <summary>Parses the value of an argument that may also be 0.</summary>
    public static TimeSpan? ParseOrZero(ArgumentResult argument) => argument.Tokens is [{ Value: "0" or "0s" }] ? TimeSpan.Zero : Parse(argument);

    public static bool TryParse(string text, out TimeSpan time)
    {
        time = TimeSpan.Zero;
        foreach (var (suffix, seconds) in Units)
        {
            if (!text.EndsWith(suffix, StringComparison.Ordinal)) { continue; }
            if (!double.TryParse(text[..^suffix.Length], NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number)) { return false; }
            if (number * seconds is not (> 0 and <= MaxSeconds)) { return false; }
            time = TimeSpan.FromSeconds(number * seconds);
            return true;
        }
        return false;
    }
}
