using System.CommandLine;
using CoAP.Tool.Connecting;
using CoAP.Tool.Printing;
using CoAP.Tool.Running;

namespace CoAP.Tool.Requests;

/// <summary>The commands "get", "put", "post", "delete", "fetch", "patch" and "ipatch".</summary>
internal sealed class RequestCommand
{
    private readonly Terminal _terminal;
    private readonly RequestMethod _method;
    private readonly RequestArguments _request = new();
    private readonly PayloadArguments? _payload;
    private readonly OutputArguments _output = new();
    private readonly ConnectionArguments _connection = new();

    private RequestCommand(Terminal terminal, RequestMethod method)
    {
        (_terminal, _method) = (terminal, method);
        _payload = method.MayHavePayload ? new() : null;
    }

    public static Command Create(Terminal terminal, RequestMethod method)
    {
        var command = new ToolCommand(terminal, method.Name, method.Description, method.Examples);
        var request = new RequestCommand(terminal, method);
        request._request.AddTo(command);
        request._payload?.AddTo(command, method);
        request._output.AddTo(command);
        request._connection.AddTo(command);
        command.Runs(request.RunAsync);
        return command;
    }

    private async Task<int> RunAsync(ParseResult arguments, CancellationToken cancellationToken)
    {
        var progress = _terminal.IsErrorInteractive ? new ProgressLine(_terminal.Error) : null;
        using var output = _output.Open(arguments, _terminal);
        var request = _request.ToRequest(arguments, _method.Code, _payload?.Open(arguments, _terminal), progress, output?.Target);
        var connection = _connection.Open(arguments, _terminal, settings => _output.Limit(settings, arguments));
        await using var _ = connection.ConfigureAwait(false);
        CoapResponse response;
        try
        {
            response = await connection.Client.SendAsync(request, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            progress?.End();
        }
        Print(arguments, response, output);
        return response.IsSuccess ? ExitCode.Success : ExitCode.ErrorAnswer;
    }

    private void Print(ParseResult arguments, CoapResponse response, ResponseStream? output)
    {
        if (_output.IsJson(arguments))
        {
            _terminal.Out.WriteLine(JsonReport.Of(response));
            return;
        }
        ResponseHeadline.Print(_terminal.ErrorConsole, response, response.Payload.Length + (output?.Length ?? 0));
        if (output is null)
        {
            new PayloadPrinter(_terminal.Console).Print(response);
            return;
        }
        if (response.IsSuccess) { output.Complete(); }
        else { output.WriteError(response.Payload.Span); }
    }
}
