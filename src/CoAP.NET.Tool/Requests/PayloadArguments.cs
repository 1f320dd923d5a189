using System.CommandLine;
using System.Text;
using CoAP.Tool.Printing;
using CoAP.Tool.Running;

namespace CoAP.Tool.Requests;

/// <summary>The arguments for the payload of a request.</summary>
internal sealed class PayloadArguments
{
    private const string StandardInput = "-";

    private readonly Option<string?> _text = new("--payload", "-p") { HelpName = "TEXT", Description = "The payload as text." };

    private readonly Option<string?> _file = new("--file", "-f") { HelpName = "FILE", Description = "The file that is the payload; - for the standard input." };

    private readonly Option<uint?> _format = new("--format")
    {
        HelpName = "FORMAT",
        Description = "The Content-Format of the payload. Default: text for --payload, by extension for --file.",
        CustomParser = FormatName.Parse,
    };

    public PayloadArguments() => _format.CompletionSources.Add([.. FormatName.Common]);

    /// <param name="command">The command.</param>
    /// <param name="method">Its method. Only a POST may be without a payload: an empty PUT would erase a resource by mistake.</param>
    public void AddTo(Command command, RequestMethod method)
    {
        foreach (Option option in new Option[] { _text, _file, _format }) { command.Add(option); }
        command.Validators.Add(result =>
        {
            var (hasText, hasFile) = (result.GetResult(_text) is not null, result.GetResult(_file) is not null);
            if (hasText && hasFile) { result.AddError("Give --payload or --file, not both."); }
            if (!hasText && !hasFile && method.Code != RequestCode.Post)
            {
                result.AddError($"{method.Name} needs --payload TEXT, --file FILE, or --file - for the standard input. --payload \"\" sends none.");
            }
        });
    }

    /// <summary>Opens the payload. A file stays open until the request is complete.</summary>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public RequestPayload? Open(ParseResult arguments, Terminal terminal)
    {
        var format = arguments.GetValue(_format);
        if (arguments.GetValue(_text) is { } text) { return new(Encoding.UTF8.GetBytes(text), null, format ?? ContentFormats.TextPlain); }
        if (arguments.GetValue(_file) is not { } file) { return format is null ? null : new(default, null, format); }
        if (file == StandardInput) { return new(default, BodySource.From(terminal.Input), format); }
        if (file.Length == 0 || Directory.Exists(file)) { throw new FormatException($"--file needs the name of a file, or - for the standard input, not '{file}'."); }
        var stream = File.OpenRead(file);
        return new(default, BodySource.From(stream, stream.Length), format ?? FileFormat.Of(file));
    }
}
