using System.CommandLine;
using System.Net.Security;
using CoAP.Tool.Running;
using CoAP.Tool.Tracing;

namespace CoAP.Tool.Connecting;

/// <summary>The arguments that say how to reach and trust a server. All commands that send requests have them.</summary>
internal sealed class ConnectionArguments
{
    // The user asked for it with --insecure.
#pragma warning disable CA5359
    private static readonly RemoteCertificateValidationCallback AcceptAny = static (_, _, _, _) => true;
#pragma warning restore CA5359

    private readonly Option<string?> _key = new("--psk")
    {
        HelpName = "IDENTITY:KEY",
        Description = "The pre-shared key for coaps. KEY is text, or hexadecimal digits after 0x.",
    };

    private readonly Option<string?> _certificate = new("--cert") { HelpName = "FILE", Description = "The client's certificate (PEM). Needs --key." };

    private readonly Option<string?> _certificateKey = new("--key") { HelpName = "FILE", Description = "The private key of the certificate (PEM)." };

    private readonly Option<string?> _roots = new("--ca")
    {
        HelpName = "FILE",
        Description = "The root certificates to trust (PEM). Default: those of the system.",
    };

    private readonly Option<bool> _isInsecure = new("--insecure") { Description = "Accept any certificate of the server. For tests only." };

    private readonly Option<TimeSpan?> _timeout = new("--timeout")
    {
        HelpName = "TIME",
        Description = "The longest time for the whole call, such as 10, 2.5s or 500ms. Default: the time-outs of the protocol.",
        CustomParser = Duration.Parse,
    };

    private readonly Option<bool> _isVerbose = new("--verbose", "-v") { Description = "Print each message that is sent or received." };

    private readonly Option<string?> _capture = new("--capture")
    {
        HelpName = "FILE",
        Description = "Write all messages to a pcapng file for Wireshark, those of DTLS and TLS as plain text.",
    };

    /// <summary>Adds the arguments to a command.</summary>
    public void AddTo(Command command)
    {
        foreach (Option option in new Option[] { _key, _certificate, _certificateKey, _roots, _isInsecure, _timeout, _isVerbose, _capture }) { command.Add(option); }
        command.Validators.Add(result =>
        {
            var (hasKey, hasFile) = (result.GetResult(_certificateKey) is not null, result.GetResult(_certificate) is not null);
            if (hasKey != hasFile) { result.AddError("--cert and --key must be given together."); }
            if (hasKey && result.GetResult(_key) is not null) { result.AddError("Give --psk or --cert, not both."); }
        });
    }

    /// <summary>Returns the given <c>--timeout</c>; <see langword="null"/> if there is none.</summary>
    public TimeSpan? Timeout(ParseResult arguments) => arguments.GetValue(_timeout);

    /// <summary>Creates a client with the arguments, and with what traces and captures its messages.</summary>
    /// <param name="arguments">The parsed command line.</param>
    /// <param name="terminal">Where the trace is written.</param>
    /// <param name="adapt">Changes the settings for the command. Default: none.</param>
    /// <param name="shown">Returns what the trace shows for a message that the command changes on its way. The flag tells whether it belongs to a connection.</param>
    /// <exception cref="FormatException">A key or certificate cannot be read.</exception>
    /// <exception cref="IOException">The capture cannot be written.</exception>
    public Connection Open(
        ParseResult arguments, Terminal terminal, Func<CoapClientSettings, CoapClientSettings>? adapt = null, Func<CoapMessage, bool, CoapMessage>? shown = null)
    {
        var settings = ToSettings(arguments);
        if (arguments.GetValue(_isVerbose)) { settings = settings with { Links = [.. settings.Links, new MessageTrace(terminal.ErrorConsole, shown).Link] }; }
        var capture = arguments.GetValue(_capture) is { } file ? PcapngCapture.ToFile(file) : null;
        if (capture is not null) { settings = settings with { Links = [.. settings.Links, capture.Link] }; }
        return new Connection(new CoapClient(adapt is null ? settings : adapt(settings)), capture);
    }

    private CoapClientSettings ToSettings(ParseResult arguments)
    {
        var roots = arguments.GetValue(_roots) is { } file ? PemFiles.ReadRoots(file) : null;
        var certificate = arguments.GetValue(_certificate) is { } name ? PemFiles.Read(name, arguments.GetValue(_certificateKey)!) : null;
        var tls = new TlsClientSettings { TrustedRoots = roots, Certificate = certificate };
        var dtls = new DtlsClientSettings
        {
            PreSharedKey = arguments.GetValue(_key) is { } key ? PreSharedKeyText.Parse(key) : null,
            TrustedRoots = roots,
            Certificate = certificate,
        };
        if (arguments.GetValue(_isInsecure)) { (tls, dtls) = (tls with { ValidateServer = AcceptAny }, dtls with { ValidateServer = AcceptAny }); }
        return new CoapClientSettings { Tls = tls, Dtls = dtls, Timeout = arguments.GetValue(_timeout) };
    }
}
