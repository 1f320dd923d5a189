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
        Description = "The pre-shared key for coaps. KEY is text, or 0x and hexadecimal digits.",
    };

    private readonly Option<string?> _certificate = new("--cert") { HelpName = "FILE", Description = "The client's certificate (PEM). Needs --key." };

    private readonly Option<string?> _certificateKey = new("--key") { HelpName = "FILE", Description = "The private key of the certificate (PEM)." };

    private readonly Option<string?> _roots = new("--ca")
    {
        HelpName = "FILE",
        Description = "The root certificates to trust (PEM). Default: those of the system.",
    };

    private readonly Option<bool> _isInsecure = new("--insecure") { Description = "Accept any certificate of the server. For tests only." };

    private readonly Option<TimeSpan?> _timeout;

    private readonly bool _hasTrace;

    private readonly Option<bool> _isVerbose = new("--verbose", "-v") { Description = "Print each message that is sent or received." };

    private readonly Option<string?> _capture = new("--capture")
    {
        HelpName = "FILE",
        Description = "Write all messages to a pcapng file for Wireshark. DTLS and TLS are decrypted.",
    };

    /// <param name="timeout">The description of <c>--timeout</c>.</param>
    /// <param name="hasTrace">Whether messages can be printed and captured.</param>
    public ConnectionArguments(string timeout = "The time limit of the whole call, such as 10, 2.5s or 500ms. Default: the timeouts of the protocol.", bool hasTrace = true)
    {
        _timeout = new("--timeout") { HelpName = "TIME", Description = timeout, CustomParser = Duration.Parse };
        _hasTrace = hasTrace;
    }

    /// <summary>Adds the arguments to a command.</summary>
    public void AddTo(Command command)
    {
        foreach (Option option in new Option[] { _key, _certificate, _certificateKey, _roots, _isInsecure, _timeout }) { command.Add(option); }
        if (_hasTrace)
        {
            command.Add(_isVerbose);
            command.Add(_capture);
        }
        Together.Require(command, _certificate, _certificateKey);
        command.Validators.Add(result =>
        {
            if (result.GetResult(_certificateKey) is not null && result.GetResult(_key) is not null) { result.AddError("Give --psk or --cert, not both."); }
            if (result.GetResult(_roots) is not null && result.GetValue(_isInsecure)) { result.AddError("Give --ca or --insecure, not both."); }
        });
    }

    /// <summary>Returns the given <c>--timeout</c>; <see langword="null"/> if there is none.</summary>
    public TimeSpan? Timeout(ParseResult arguments) => arguments.GetValue(_timeout);

    /// <summary>Creates a client with the arguments, and with what traces and captures its messages.</summary>
    /// <param name="arguments">The parsed command line.</param>
    /// <param name="terminal">Where the trace is written.</param>
    /// <param name="adapt">Changes the settings for the command. Default: none.</param>
    /// <param name="shown">Replaces a message in the trace, for commands that rewrite it before it is sent. The flag tells whether it belongs to a connection.</param>
    /// <exception cref="FormatException">A key or certificate cannot be read.</exception>
    /// <exception cref="IOException">The capture cannot be written.</exception>
    public Connection Open(
        ParseResult arguments, Terminal terminal, Func<CoapClientSettings, CoapClientSettings>? adapt = null, Func<CoapMessage, bool, CoapMessage>? shown = null)
    {
        if (arguments.CommandResult.Command.Arguments is [{ } target, ..] && arguments.GetValue<string>(target.Name) is { } uri) { CheckSecurity(arguments, uri); }
        var settings = ToSettings(arguments);
        if (_hasTrace && arguments.GetValue(_isVerbose)) { settings = settings with { Links = [.. settings.Links, new MessageTrace(terminal.ErrorConsole, shown).Link] }; }
        var capture = _hasTrace && arguments.GetValue(_capture) is { } file ? PcapngCapture.ToFile(file) : null;
        if (capture is not null) { settings = settings with { Links = [.. settings.Links, capture.Link] }; }
        return new Connection(new CoapClient(adapt is null ? settings : adapt(settings)), capture);
    }

    // Somebody who gives a key believes that the call is protected.
    private void CheckSecurity(ParseResult arguments, string uri)
    {
        var scheme = CoapUri.Parse(TargetUri.Complete(uri)).Scheme;
        if (arguments.GetValue(_key) is not null && scheme != CoapScheme.Coaps) { throw new FormatException($"--psk is for coaps, not for {scheme.GetName()}."); }
        if (scheme.IsSecure()) { return; }
        var unused = arguments.GetValue(_roots) is not null ? "--ca" : arguments.GetValue(_certificate) is not null ? "--cert" : arguments.GetValue(_isInsecure) ? "--insecure" : null;
        if (unused is not null) { throw new FormatException($"{unused} is for coaps, coaps+tcp and coaps+ws, not for {scheme.GetName()}."); }
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
