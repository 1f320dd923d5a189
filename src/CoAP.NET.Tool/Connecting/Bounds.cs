using System.CommandLine;
using System.Globalization;

namespace CoAP.Tool.Connecting;

/// <summary>The smallest and the largest number that an argument takes.</summary>
internal static class Bounds
{
    /// <summary>Makes every other number an error of the command line.</summary>
    public static void Set(Option option, double least, double most) => option.Validators.Add(result =>
    {
        // A value that is not a number is an error already.
        if (result.Tokens is not [var token] || !double.TryParse(token.Value, CultureInfo.InvariantCulture, out var value)) { return; }
        if (!(value >= least && value <= most)) { result.AddError(string.Create(CultureInfo.InvariantCulture, $"{option.Name} takes a number from {least:0.##} to {most:0.##}, not {token.Value}.")); }
    });
}
