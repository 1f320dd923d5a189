using System.Globalization;
using System.Text.RegularExpressions;

namespace CoAP.Interop.Tests.Programs;

/// <summary>What libcoap's client got: it is read from its log, which tells more than its output.</summary>
internal sealed partial record LibcoapAnswer(string Type, string Code, string Options, string Body, Outcome Outcome);

/// <summary>The bytes that libcoap's client got; where the server refused, they are none, and the code is among what it wrote.</summary>
internal sealed record LibcoapTransfer(byte[] Body, Outcome Outcome);

/// <summary>libcoap's client, one process per request.</summary>
internal static partial class LibcoapClient
{
    private const string LogDebug = "7";
    private const string Seconds = "15";
    private const string LongTransfer = "150";     // on a loaded machine, each block waits for two processes to get their turn

    public static async Task<LibcoapAnswer> RunAsync(string method, string uri, params string[] more)
    {
        var file = Path.GetTempFileName();
        try
        {
            var outcome = await RunningProgram.RunAsync(
                Needed.CoapClient, ["-v", LogDebug, "-B", Seconds, "-o", file, "-m", method, .. more, uri]);
            var answers = outcome.Output.Concat(outcome.Errors).Select(line => Received().Match(line)).Where(match => match.Success).ToArray();
            answers.Should().ContainSingle("one request has one answer:\n{0}", outcome);
            var answer = answers[0].Groups;
            return new(answer["type"].Value, answer["code"].Value, answer["options"].Value.Trim(), await File.ReadAllTextAsync(file), outcome);
        }
        finally
        {
            File.Delete(file);
        }
    }

    /// <summary>A request whose many blocks are not logged.</summary>
    public static async Task<LibcoapTransfer> TransferAsync(string method, string uri, params string[] more)
    {
        var file = Path.GetTempFileName();
        try
        {
            var outcome = await RunningProgram.RunAsync(
                RunningProgram.LongLife, Needed.CoapClient, ["-B", LongTransfer, "-o", file, "-m", method, .. more, uri]);
            return new(await File.ReadAllBytesAsync(file), outcome);
        }
        finally
        {
            File.Delete(file);
        }
    }

    /// <summary>The representations that came within so many seconds.</summary>
    public static async Task<IReadOnlyList<string>> ObserveAsync(string uri, int seconds)
    {
        var duration = seconds.ToString(CultureInfo.InvariantCulture);
        var outcome = await RunningProgram.RunAsync(Needed.CoapClient, "-w", "-s", duration, "-B", Seconds, "-m", "get", uri);
        return [.. outcome.Output.Where(line => line.Length > 0)];
    }

    // "v:1 t:ACK c:2.05 i:f6e0 {01} [ Content-Format:text/plain ] :: 'Hello'"; requests have the method's name for a code.
    [GeneratedRegex(@"^v:1 t:(?<type>\w+) c:(?<code>[245]\.\d\d) i:\w+ \{\w*\} \[(?<options>[^\]]*)\]")]
    private static partial Regex Received();
}
