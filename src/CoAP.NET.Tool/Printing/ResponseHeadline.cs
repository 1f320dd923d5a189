using System.Globalization;
using Spectre.Console;

namespace CoAP.Tool.Printing;

/// <summary>The line that tells what a server answered, and the options below it. Both go to the error stream; the output has only the payload.</summary>
internal static class ResponseHeadline
{
    public static void Print(IAnsiConsole console, CoapResponse response, long length)
    {
        var color = response.IsSuccess ? "green" : "red";
        var details = string.Create(CultureInfo.InvariantCulture, $"{ByteCount.Of(length)} from {response.Remote} after {response.RoundTripTime.TotalMilliseconds:0.0} ms");
        console.MarkupLineInterpolated($"[{color}]{CodeName.Describe(response.Code)}[/] {details}");
        foreach (var option in response.Options) { console.MarkupLineInterpolated($"  [grey]{OptionText.NameOf(option, response.Code)}:[/] {OptionText.ValueOf(option)}"); }
    }
}
