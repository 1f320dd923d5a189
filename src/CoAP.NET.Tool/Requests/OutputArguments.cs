using System.CommandLine;
using CoAP.Tool.Running;

namespace CoAP.Tool.Requests;

/// <summary>The arguments that say where the payload of a response goes, and in which form.</summary>
internal sealed class OutputArguments
{
    private const long DefaultMaxSize = 1L << 30;

    private readonly Option<string?> _file = new("--output", "-o") { HelpName = "FILE", Description = "Write the payload of the response to a file." };

    private readonly Option<long?> _maxSize = new("--max-size")
    {
        HelpName = "BYTES",
        Description = "The longest payload of a response, such as 500K, 10M or 2G. A longer one ends the request. Default: 1G; 64M if it is printed in a readable form or as JSON.",
        CustomParser = SizeArgument.Parse,
    };

    private readonly Option<bool> _isJson = new("--json") { Description = "Print the response as one line of JSON, for scripts." };

    private readonly Option<bool> _isRaw = new("--raw") { Description = "Print the payload as it is, also on a terminal." };

    public void AddTo(Command command)
    {
        foreach (Option option in new Option[] { _file, _maxSize, _isJson, _isRaw }) { command.Add(option); }
        command.Validators.Add(result =>
        {
            if (result.GetResult(_file) is not null && result.GetResult(_isJson) is { Implicit: false }) { result.AddError("Give --output or --json, not both."); }
        });
    }

    /// <summary>Whether the response is printed as JSON.</summary>
    public bool IsJson(ParseResult arguments) => arguments.GetValue(_isJson);

    /// <summary>Limits the payloads that are collected in memory.</summary>
    public CoapClientSettings Limit(CoapClientSettings settings, ParseResult arguments)
    {
        if (arguments.GetValue(_maxSize) is not { } size) { return settings; }
        var transfers = settings.ClientTransfers;
        return settings with { ClientTransfers = transfers with { MaxResponseBody = (int)Math.Min(size, Array.MaxLength) } };
    }

    /// <summary>Opens the target of the payload. <see langword="null"/> means that the payload is collected and then printed in a readable form.</summary>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public ResponseStream? Open(ParseResult arguments, Terminal terminal)
    {
        if (arguments.GetValue(_file) is { } file) { return ResponseStream.ToFile(file, arguments.GetValue(_maxSize) ?? DefaultMaxSize); }
        var isReadable = IsJson(arguments) || (terminal.IsOutputInteractive && !arguments.GetValue(_isRaw));
        return isReadable ? null : ResponseStream.ToOutput(terminal.OutputStream, arguments.GetValue(_maxSize) ?? DefaultMaxSize);
    }
}
