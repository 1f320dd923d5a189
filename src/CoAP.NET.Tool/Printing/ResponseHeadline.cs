using System.Globalization;
using Spectre.Console;

namespace CoAP.Tool.Printing;

/// <summary>The line that tells what a server answered, and the options below it. Both go to the error stream; the output has only the payload.</summary>
internal static class ResponseHeadline
{
    public static void Print(IAnsiConsole console, CoapResponse response, long length)
    {
        var color = response.IsSuccess ? "green" : "red";
        // A notification answers no message, so it has no round trip.
        var time = response.RoundTripTime > TimeSpan.Zero ? string.Create(CultureInfo.InvariantCulture, $" after {response.RoundTripTime.TotalMilliseconds:0.0} ms") : "";
        var details = $"{ByteCount.Of(length)} from {response.Remote}{time}";
        console.MarkupLineInterpolated($"[{color}]{CodeName.Describe(response.Code)}[/] {details}");
        foreach (var option in response.Options) { console.MarkupLineInterpolated($"  [grey]{OptionText.NameOf(option, response.Code)}:[/] {OptionText.ValueOf(option)}"); }
    }
}
