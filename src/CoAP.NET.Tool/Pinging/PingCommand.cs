using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using CoAP.Tool.Connecting;
using CoAP.Tool.Printing;
using CoAP.Tool.Running;

namespace CoAP.Tool.Pinging;

/// <summary>The command "ping".</summary>
internal sealed class PingCommand
{
    private const int DefaultCount = 4;
    private static readonly TimeSpan DefaultTimeout = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan DefaultInterval = TimeSpan.FromSeconds(1);

    private readonly Terminal _terminal;
    private readonly ConnectionArguments _connection = new("The longest wait for an answer, such as 2s or 500ms. Default: 5 s.");
    private readonly Argument<string> _host = new("HOST") { Description = "The server, such as localhost, coaps://host or coap+tcp://host:5683." };

    private readonly Option<int> _count = new("--count", "-n")
    {
        HelpName = "NUMBER",
        Description = "The number of pings.",
        DefaultValueFactory = static _ => DefaultCount,
    };

    private readonly Option<TimeSpan?> _interval = new("--interval")
    {
        HelpName = "TIME",
        Description = "The time from one ping to the next. Default: 1 s.",
        CustomParser = Duration.Parse,
    };

    private readonly Option<bool> _isJson = new("--json") { Description = "Print each ping as one line of JSON, for scripts." };

    private PingCommand(Terminal terminal)
    {
        _terminal = terminal;
        Bounds.Set(_count, 1, int.MaxValue);
    }

    public static Command Create(Terminal terminal)
    {
        var command = new ToolCommand(
            terminal, "ping", "Check whether an endpoint is alive, with an Empty message (RFC 7252, section 4.3) or, over connections, a Ping (RFC 8323, section 5.4).",
            "coap ping localhost",
            "coap ping coaps://localhost --psk client:secret",
            "coap ping coap+tcp://localhost --count 10 --interval 200ms");
        var ping = new PingCommand(terminal);
        command.Add(ping._host);
        foreach (Option option in new Option[] { ping._count, ping._interval, ping._isJson }) { command.Add(option); }
        ping._connection.AddTo(command);
        command.Runs(ping.RunAsync);
        return command;
    }

    private async Task<int> RunAsync(ParseResult arguments, CancellationToken cancellationToken)
    {
        var pinger = new Pinger(TargetUri.Complete(arguments.GetRequiredValue(_host)), _connection.Timeout(arguments) ?? DefaultTimeout);
        var connection = _connection.Open(arguments, _terminal, settings => settings with { Links = [.. settings.Links, pinger.Link] }, PingStage.ToPing);
        await using var _ = connection.ConfigureAwait(false);
        var (results, count, interval) = (new PingResults(), arguments.GetValue(_count), arguments.GetValue(_interval) ?? DefaultInterval);
        try
        {
            while (results.Sent < count)
            {
                var startedAt = Stopwatch.GetTimestamp();
                await PingAsync(connection.Client, pinger, results, arguments.GetValue(_isJson), cancellationToken).ConfigureAwait(false);
                var rest = interval - Stopwatch.GetElapsedTime(startedAt);
                if (rest > TimeSpan.Zero && results.Sent < count) { await Task.Delay(rest, cancellationToken).ConfigureAwait(false); }
            }
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // The summary is what somebody who ends a ping wants to see.
        }
        if (!arguments.GetValue(_isJson)) { _terminal.Out.WriteLine(results.ToString()); }
        return results.Answered > 0 ? ExitCode.Success : ExitCode.NoAnswer;
    }

    private async Task PingAsync(CoapClient client, Pinger pinger, PingResults results, bool isJson, CancellationToken cancellationToken)
    {
        string? error = null;
        TimeSpan? roundTrip = null;
        results.AddSent();
        try
        {
            roundTrip = await pinger.PingAsync(client, cancellationToken).ConfigureAwait(false);
            results.AddAnswer(roundTrip.Value);
        }
        catch (CoapException exception)
        {
            error = exception.Message;
        }
        _terminal.Out.WriteLine(isJson ? ToJson(results.Sent, roundTrip, error) : ToLine(results.Sent, roundTrip, error));
    }

    private static string ToLine(int number, TimeSpan? roundTrip, string? error) => roundTrip is { } time
        ? string.Create(CultureInfo.InvariantCulture, $"{number}: alive, {time.TotalMilliseconds:0.00} ms")
        : $"{number}: {Printable.Of(error!)}";

    private static string ToJson(int number, TimeSpan? roundTrip, string? error) => JsonReport.Write(writer =>
    {
        writer.WriteNumber("number", number);
        writer.WriteBoolean("isAlive", roundTrip is not null);
        if (roundTrip is { } time) { writer.WriteNumber("milliseconds", Math.Round(time.TotalMilliseconds, 3)); }
        if (error is not null) { writer.WriteString("error", error); }
    });
}
