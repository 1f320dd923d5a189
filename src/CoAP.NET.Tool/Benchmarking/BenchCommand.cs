using System.CommandLine;
using System.Diagnostics;
using System.Net;
using CoAP.Tool.Connecting;
using CoAP.Tool.LoadEngine;
using CoAP.Tool.Printing;
using CoAP.Tool.Running;

namespace CoAP.Tool.Benchmarking;

/// <summary>The command "coap bench": load on a server.</summary>
internal sealed class BenchCommand
{
    private const int MaxDatagramPayload = 1024;
    private const string ClearToEnd = "\u001b[K";

    private const string Description = """
        Send requests as fast as the server answers, and print requests per second, latencies and errors. Use it only on your own servers.
        Over plain UDP on Linux, it sends raw datagrams, so that the server is the bottleneck and not this program. Other transports, block-wise bodies and
        --generator client use clients of the library, as your own program would.
        """;

    private static readonly TimeSpan ProgressInterval = TimeSpan.FromMilliseconds(500);

    private readonly BenchArguments _load = new();
    // A trace could not keep up with the load.
    private readonly ConnectionArguments _connection = new("The time after which a request without a response counts as failed. Default: 5 s.", hasTrace: false);
    private readonly Option<bool> _isJson = new("--json") { Description = "Print one JSON object." };

    private readonly Option<string> _generator = new("--generator")
    {
        HelpName = "auto|raw|client",
        Description = "What sends the requests: raw datagrams, or clients of the library.",
        DefaultValueFactory = static _ => "auto",
    };

    private BenchCommand() => _generator.AcceptOnlyFromAmong("auto", "raw", "client");

    public static Command Create(Terminal terminal)
    {
        var arguments = new BenchCommand();
        var command = new ToolCommand(
            terminal,
            "bench",
            Description,
            "coap bench coap://localhost/hello",
            "coap bench coap://localhost/hello --clients 100 --concurrency 1 --for 30s --json",
            "coap bench coap+tcp://localhost/store/a --method put --size 512",
            "coap bench coaps://localhost/hello --psk pump-7:0x00112233445566778899aabbccddeeff --rate 1000");
        arguments._load.AddTo(command);
        command.Add(arguments._generator);
        command.Add(arguments._isJson);
        arguments._connection.AddTo(command);
        command.Runs((parsed, end) => arguments.RunAsync(terminal, parsed, end));
        return command;
    }

    private async Task<int> RunAsync(Terminal terminal, ParseResult arguments, CancellationToken end)
    {
        var settings = _load.Read(arguments, _connection.Timeout(arguments));
        var first = await AskAsync(terminal, arguments, settings, end).ConfigureAwait(false);
        if (!first.IsSuccess)
        {
            var answer = $"{CodeName.Describe(first.Code)}. {Printable.Of(first.PayloadText)}";
            await terminal.Error.WriteLineAsync($"coap: The server answered {answer.TrimEnd()}").ConfigureAwait(false);
            return ExitCode.ErrorAnswer;
        }
        var generator = Open(terminal, arguments, settings, first);
        await using (generator.ConfigureAwait(false))
        {
            var result = await MeasureAsync(terminal, settings, generator, end).ConfigureAwait(false);
            if (arguments.GetValue(_isJson)) { BenchReport.PrintJson(terminal, settings, generator.Name, result); }
            else { BenchReport.Print(terminal, settings, generator.Name, result); }
            return BenchReport.ExitCodeOf(result.Tally);
        }
    }

    // One ordinary request shows whether the server can be reached, with a good message if not, and whether the response fits into a datagram.
    private async Task<CoapResponse> AskAsync(Terminal terminal, ParseResult arguments, BenchSettings settings, CancellationToken end)
    {
        var connection = _connection.Open(arguments, terminal);
        await using (connection.ConfigureAwait(false)) { return await connection.Client.SendAsync(settings.ToRequest(), end).ConfigureAwait(false); }
    }

    private IGenerator Open(Terminal terminal, ParseResult arguments, BenchSettings settings, CoapResponse first)
    {
        var choice = arguments.GetRequiredValue(_generator);
        var server = first.Remote.ToIPEndPoint();
        var obstacle = WhyNotRaw(settings, first, server);
        if (choice == "raw" && obstacle is not null) { throw new FormatException($"--generator raw cannot be used: {obstacle}"); }
        return choice == "client" || obstacle is not null
            ? new ClientGenerator(settings, () => _connection.Open(arguments, terminal, client => ClientGenerator.Adapt(client, settings)))
            : new DatagramGenerator(settings, server!);
    }

    private static string? WhyNotRaw(BenchSettings settings, CoapResponse first, IPEndPoint? server) =>
        CoapUri.Parse(settings.Uri).Scheme != CoapScheme.Coap || server is null ? "it is for coap URIs only."
        : !LinuxCalls.AreSupported ? "it needs 64-bit Linux."
        : settings.Payload.Length > MaxDatagramPayload ? TooLarge("a payload", settings.Payload.Length)
        : first.Payload.Length > MaxDatagramPayload ? TooLarge("the response", first.Payload.Length)
        : null;

    private static string TooLarge(string what, int length) => $"{what} of {length} bytes is sent in blocks; at most {MaxDatagramPayload} fit into a message.";

    private static async Task<BenchResult> MeasureAsync(Terminal terminal, BenchSettings settings, IGenerator generator, CancellationToken end)
    {
        generator.Start();
        await WaitAsync(settings.WarmUp, elapsed => Show(terminal, "warming up"), end).ConfigureAwait(false);
        end.ThrowIfCancellationRequested();
        generator.Measure();
        await WaitAsync(settings.Duration, ShowProgress, end).ConfigureAwait(false);
        var result = await generator.StopAsync().ConfigureAwait(false);
        Show(terminal, "");
        return result;

        void ShowProgress(TimeSpan elapsed) => Show(terminal, BenchReport.Progress(elapsed, settings.Duration, generator.Answers));
    }

    // Ctrl+C ends the measurement early and prints what was measured.
    private static async Task WaitAsync(TimeSpan time, Action<TimeSpan> show, CancellationToken end)
    {
        var start = Stopwatch.GetTimestamp();
        while (!end.IsCancellationRequested && time - Stopwatch.GetElapsedTime(start) is var left && left > TimeSpan.Zero)
        {
            show(Stopwatch.GetElapsedTime(start));
            // A shorter delay would not wait at all.
            var pause = TimeSpan.FromMilliseconds(Math.Clamp(left.TotalMilliseconds, 1, ProgressInterval.TotalMilliseconds));
            await Task.Delay(pause, end).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private static void Show(Terminal terminal, string text)
    {
        if (!terminal.IsErrorInteractive) { return; }
        terminal.Error.Write($"\r{text}{ClearToEnd}");
        terminal.Error.Flush();
    }
}
