using System.Text.RegularExpressions;

namespace CoAP.Interop.Tests.Programs;

/// <summary>What libcoap's client got: it is read from its log, which tells more than its output.</summary>
internal sealed partial record LibcoapAnswer(string Type, string Code, string Options, string Body, Outcome Outcome);

/// <summary>libcoap's client, one process per request.</summary>
internal static partial class LibcoapClient
{
    private const string LogDebug = "7";
    private const string Seconds = "15";

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

    // "v:1 t:ACK c:2.05 i:f6e0 {01} [ Content-Format:text/plain ] :: 'Hello'"; requests have the method's name for a code.
    [GeneratedRegex(@"^v:1 t:(?<type>\w+) c:(?<code>[245]\.\d\d) i:\w+ \{\w*\} \[(?<options>[^\]]*)\]")]
    private static partial Regex Received();
}
