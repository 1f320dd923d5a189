using System.CommandLine;
using CoAP.Tool.Running;

namespace CoAP.Tool.Requests;

/// <summary>The arguments that say where the payload of a response goes, and in which form.</summary>
internal sealed class OutputArguments
{
    private readonly Option<string?> _file = new("--output", "-o") { HelpName = "FILE", Description = "Write the payload of the response to a file." };

    private readonly Option<bool> _isJson = new("--json") { Description = "Print the response as one line of JSON, for scripts." };

    private readonly Option<bool> _isRaw = new("--raw") { Description = "Print the payload as it is, also on a terminal." };

    public void AddTo(Command command)
    {
        foreach (Option option in new Option[] { _file, _isJson, _isRaw }) { command.Add(option); }
        command.Validators.Add(result =>
        {
            if (result.GetResult(_file) is not null && result.GetResult(_isJson) is { Implicit: false }) { result.AddError("Give --output or --json, not both."); }
        });
    }

    /// <summary>Whether the response is printed as JSON.</summary>
    public bool IsJson(ParseResult arguments) => arguments.GetValue(_isJson);

    /// <summary>Opens the target of the payload. <see langword="null"/> means that the payload is collected and then printed in a readable form.</summary>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public ResponseStream? Open(ParseResult arguments, Terminal terminal)
    {
        if (arguments.GetValue(_file) is { } file) { return ResponseStream.ToFile(file); }
        var isReadable = IsJson(arguments) || (terminal.IsOutputInteractive && !arguments.GetValue(_isRaw));
        return isReadable ? null : ResponseStream.ToOutput(terminal.OutputStream);
    }
}
