using System.CommandLine;
using CoAP.Options;
using CoAP.Tool.Connecting;
using CoAP.Tool.Printing;

namespace CoAP.Tool.Requests;

/// <summary>The arguments that describe a request. Commands that send one request, or observe, have them.</summary>
internal sealed class RequestArguments
{
    private static readonly int[] BlockSizes = [16, 32, 64, 128, 256, 512, 1024];

    private readonly Argument<string> _uri = new("URI") { Description = "The resource, such as coap://host/path?query or host/path." };

    private readonly Option<uint?> _accept = new("--accept")
    {
        HelpName = "FORMAT",
        Description = "The Content-Format to ask for: a number, a media type, or a short name such as json.",
        CustomParser = FormatName.Parse,
    };

    private readonly Option<string[]> _options = new("--option", "-O")
    {
        HelpName = "NAME=VALUE",
        Description = "An option of the request, by name or number. The value is a number, text, or 0x and hexadecimal digits. Repeatable.",
    };

    private readonly Option<bool> _isNonConfirmable = new("--non") { Description = "Send a non-confirmable message. The request is not retransmitted." };

    private readonly Option<int?> _blockSize = new("--block-size")
    {
        HelpName = "BYTES",
        Description = "The largest block of a transfer: 16, 32, 64, 128, 256, 512 or 1024.",
    };

    public RequestArguments()
    {
        _accept.CompletionSources.Add([.. FormatName.Common]);
        _options.CompletionSources.Add(_ => OptionArgument.Names);
        _blockSize.Validators.Add(result =>
        {
            if (result.Tokens is [var token] && !BlockSizes.Any(size => size.ToString(System.Globalization.CultureInfo.InvariantCulture) == token.Value))
            {
                result.AddError($"--block-size is '{token.Value}'; it must be one of {string.Join(", ", BlockSizes)} (RFC 7959, section 2.2).");
            }
        });
    }

    public void AddTo(Command command)
    {
        command.Add(_uri);
        foreach (Option option in new Option[] { _accept, _options, _isNonConfirmable, _blockSize }) { command.Add(option); }
    }

    /// <summary>Creates the request.</summary>
    /// <param name="arguments">The parsed command line.</param>
    /// <param name="method">The method.</param>
    /// <param name="payload">The payload; <see langword="null"/> if there is none.</param>
    /// <param name="progress">Gets the progress of long transfers; <see langword="null"/> if nobody watches.</param>
    /// <param name="target">Where the body of the response goes; <see langword="null"/> for memory.</param>
    /// <exception cref="FormatException">The URI or an option is malformed.</exception>
    public CoapRequest ToRequest(ParseResult arguments, CoapCode method, RequestPayload? payload, ProgressLine? progress, BodyTarget? target)
    {
        List<CoapOption> options = [.. (arguments.GetValue(_options) ?? []).Select(OptionArgument.Parse)];
        if (arguments.GetValue(_accept) is { } accept) { options.Add(new Accept(accept)); }
        if (payload?.Format is { } format) { options.Add(new ContentFormat(format)); }
        return new CoapRequest(method, TargetUri.Complete(arguments.GetRequiredValue(_uri)))
        {
            Options = OptionSet.Create([.. options]),
            IsConfirmable = !arguments.GetValue(_isNonConfirmable),
            PreferredBlockSize = arguments.GetValue(_blockSize),
            Payload = payload?.Bytes ?? default,
            Body = payload?.Source,
            Progress = progress,
            ResponseBody = target,
        };
    }
}
