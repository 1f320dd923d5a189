using System.CommandLine;
using CoAP.Tool.Connecting;
using CoAP.Tool.Printing;
using CoAP.Tool.Requests;
using CoAP.Tool.Running;
using Spectre.Console;

namespace CoAP.Tool.Observing;

/// <summary>The command "observe".</summary>
internal sealed class ObserveCommand
{
    private readonly Terminal _terminal;
    private readonly RequestArguments _request = new();
    private readonly ConnectionArguments _connection = new("The longest wait for the first response, such as 10s. Default: the timeouts of the protocol.");

    private readonly Option<int?> _count = new("--count", "-n") { HelpName = "NUMBER", Description = "End after this number of notifications." };

    private readonly Option<TimeSpan?> _for = new("--for")
    {
        HelpName = "TIME",
        Description = "End after this time, such as 30s or 5m.",
        CustomParser = Duration.Parse,
    };

    private readonly Option<bool> _isJson = new("--json") { Description = "Print each notification as one line of JSON, for scripts." };

    private readonly Option<bool> _isPlain = new("--plain") { Description = "Print one notification after the other instead of a live table." };

    private ObserveCommand(Terminal terminal)
    {
        _terminal = terminal;
        Bounds.Set(_count, 1, int.MaxValue);
    }

    public static Command Create(Terminal terminal)
    {
        var command = new ToolCommand(
            terminal, "observe", "Follow the state of a resource (RFC 7641). On a terminal, numbers are shown in a live table.",
            "coap observe coap://localhost/sensors/temperature",
            "coap observe localhost/sensors/1 --accept senml+json --count 10",
            "coap observe localhost/sensors/1 --json --for 5m >> readings.jsonl");
        var observe = new ObserveCommand(terminal);
        observe._request.AddTo(command);
        foreach (Option option in new Option[] { observe._count, observe._for, observe._isJson, observe._isPlain }) { command.Add(option); }
        observe._connection.AddTo(command);
        command.Runs(observe.RunAsync);
        return command;
    }

    private async Task<int> RunAsync(ParseResult arguments, CancellationToken cancellationToken)
    {
        var request = _request.ToRequest(arguments, RequestCode.Get, payload: null, progress: null, target: null);
        var connection = _connection.Open(arguments, _terminal);
        await using var _ = connection.ConfigureAwait(false);
        using var end = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        if (arguments.GetValue(_for) is { } time) { end.CancelAfter(time); }
        var observation = connection.Client.ObserveAsync(request, end.Token);
        var most = arguments.GetValue(_count) ?? int.MaxValue;
        bool? isSuccess = null;
        try
        {
            await ShowAsync(arguments, request, observation, notification =>
            {
                isSuccess = notification.Response.IsSuccess;
                return --most > 0;
            }).ConfigureAwait(false);
            if (most > 0 && Explain(observation.EndReason) is { } reason) { _terminal.Error.WriteLine(reason); }
        }
        catch (OperationCanceledException) when (end.IsCancellationRequested)
        {
            if (isSuccess is null) { throw new TimeoutException("No notification arrived."); }
        }
        return isSuccess == true ? ExitCode.Success : ExitCode.ErrorAnswer;
    }

    private static string? Explain(ObservationEnd? end) => end switch
    {
        ObservationEnd.NotObserved => "The resource is not observable.",
        ObservationEnd.ErrorResponse => null, // the headline has the code
        _ => "The server ended the observation.",
    };

    private Task ShowAsync(ParseResult arguments, CoapRequest request, CoapObservation observation, Func<Notification, bool> goesOn)
    {
        var isLive = _terminal.IsOutputInteractive && !arguments.GetValue(_isJson) && !arguments.GetValue(_isPlain);
        return isLive ? ShowLiveAsync(request, observation, goesOn) : PrintAsync(observation, arguments.GetValue(_isJson), goesOn);
    }

    private async Task PrintAsync(CoapObservation observation, bool isJson, Func<Notification, bool> goesOn)
    {
        await foreach (var notification in observation.ConfigureAwait(false))
        {
            if (isJson) { _terminal.Out.WriteLine(NotificationReport.Of(notification)); }
            else { Print(notification); }
            await _terminal.Out.FlushAsync().ConfigureAwait(false);
            if (!goesOn(notification)) { return; }
        }
    }

    private void Print(Notification notification)
    {
        ResponseHeadline.Print(_terminal.ErrorConsole, notification.Response, notification.Response.Payload.Length);
        new PayloadPrinter(_terminal.Console).Print(notification.Response);
    }

    private async Task ShowLiveAsync(CoapRequest request, CoapObservation observation, Func<Notification, bool> goesOn)
    {
        var (uri, states, gate) = (request.Uri!, new ObservedStates(TimeProvider.System), new Lock());
        await _terminal.Console.Live(LiveView.Render(uri, observation, states)).StartAsync(async view =>
        {
            observation.StateChanged += (_, _) => Draw();
            await foreach (var notification in observation.ConfigureAwait(false))
            {
                lock (gate) { states.Add(notification); }
                Draw();
                if (!goesOn(notification)) { return; }
            }

            void Draw()
            {
                lock (gate) { view.UpdateTarget(LiveView.Render(uri, observation, states)); }
            }
        }).ConfigureAwait(false);
    }
}
