using System.CommandLine;
using System.Text;
using CoAP.Tool.Connecting;

namespace CoAP.Tool.Benchmarking;

/// <summary>The arguments that describe a load.</summary>
internal sealed class BenchArguments
{
    private const int MaxClients = 4096, MaxConcurrency = 16_384, MaxSlots = 1 << 20, MaxPayload = 64 << 10;
    private const double MaxSeconds = 86_400;

    private static readonly BenchSettings Defaults = new() { Uri = "" };

    private readonly Argument<string> _uri = new("URI") { Description = "The resource." };

    private readonly Option<string> _method = new("--method")
    {
        HelpName = "get|put|post",
        Description = "The method.",
        DefaultValueFactory = static _ => "get",
    };

    private readonly Option<int> _clients = new("--clients")
    {
        HelpName = "N",
        Description = "The number of sockets over UDP, sessions over DTLS, and connections over TCP, TLS and WebSockets.",
        DefaultValueFactory = static _ => Defaults.Clients,
    };

    private readonly Option<int> _concurrency = new("--concurrency")
    {
        HelpName = "N",
        Description = "The most requests of a client that wait for a response. RFC 7252, section 4.7 recommends 1; this is a load test.",
        DefaultValueFactory = static _ => Defaults.Concurrency,
    };

    private readonly Option<double> _seconds = new("--seconds")
    {
        HelpName = "N",
        Description = "The measured time.",
        DefaultValueFactory = static _ => Defaults.Duration.TotalSeconds,
    };

    private readonly Option<double> _warmUp = new("--warm-up")
    {
        HelpName = "SECONDS",
        Description = "How long the load lasts before it is measured.",
        DefaultValueFactory = static _ => Defaults.WarmUp.TotalSeconds,
    };

    private readonly Option<double?> _rate = new("--rate")
    {
        HelpName = "N",
        Description = "Send N requests per second, however long the server takes. Default: each response makes room for a request.",
    };

    private readonly Option<string?> _payload = new("--payload") { HelpName = "TEXT", Description = "The payload of PUT and POST." };
    private readonly Option<int?> _size = new("--size") { HelpName = "BYTES", Description = "The size of a payload of letters \"x\", instead of --payload." };
    private readonly Option<bool> _isNonConfirmable = new("--non") { Description = "Send non-confirmable messages over UDP." };

    public BenchArguments()
    {
        _method.AcceptOnlyFromAmong("get", "put", "post");
        Bound(_clients, 1, MaxClients);
        Bound(_concurrency, 1, MaxConcurrency);
        Bound(_size, 0, MaxPayload);
        Bound(_seconds, 0.1, MaxSeconds);
        Bound(_warmUp, 0, MaxSeconds);
        Bound(_rate, 0.01, 1e7);
    }

    public void AddTo(Command command)
    {
        command.Add(_uri);
        Option[] options = [_method, _clients, _concurrency, _seconds, _warmUp, _rate, _payload, _size, _isNonConfirmable];
        foreach (var option in options) { command.Add(option); }
        command.Validators.Add(result =>
        {
            var (hasText, hasSize) = (result.GetResult(_payload) is not null, result.GetResult(_size) is not null);
            if (hasText && hasSize) { result.AddError("Give --payload or --size, not both."); }
            if ((hasText || hasSize) && result.GetValue(_method) is null or "get")
            {
                result.AddError("A GET has no payload. Add --method put or --method post.");
            }
            if ((long)result.GetValue(_clients) * result.GetValue(_concurrency) > MaxSlots)
            {
                result.AddError($"--clients times --concurrency is at most {MaxSlots}.");
            }
        });
    }

    /// <summary>Reads the load.</summary>
    /// <param name="arguments">The parsed command line.</param>
    /// <param name="patience">The time after which a request is given up; <see langword="null"/> for the default.</param>
    /// <exception cref="FormatException">The URI is malformed.</exception>
    public BenchSettings Read(ParseResult arguments, TimeSpan? patience)
    {
        byte[] payload = arguments.GetValue(_payload) is { } text
            ? Encoding.UTF8.GetBytes(text)
            : [.. Enumerable.Repeat((byte)'x', arguments.GetValue(_size) ?? 0)];
        return new BenchSettings
        {
            Uri = TargetUri.Complete(arguments.GetRequiredValue(_uri)),
            Method = arguments.GetRequiredValue(_method) switch { "put" => RequestCode.Put, "post" => RequestCode.Post, _ => RequestCode.Get },
            Payload = payload,
            ContentFormat = payload.Length > 0 ? ContentFormats.TextPlain : null,
            IsConfirmable = !arguments.GetValue(_isNonConfirmable),
            Clients = arguments.GetValue(_clients),
            Concurrency = arguments.GetValue(_concurrency),
            Rate = arguments.GetValue(_rate),
            Duration = TimeSpan.FromSeconds(arguments.GetValue(_seconds)),
            WarmUp = TimeSpan.FromSeconds(arguments.GetValue(_warmUp)),
            Patience = patience ?? Defaults.Patience,
        };
    }

    private static void Bound<T>(Option<T> option, double least, double most) => option.Validators.Add(result =>
    {
        // A value that is not a number is an error already.
        if (result.Tokens is not [var token] || !double.TryParse(token.Value, System.Globalization.CultureInfo.InvariantCulture, out var value)) { return; }
        if (!(value >= least && value <= most)) { result.AddError($"{option.Name} takes a number from {least:0.##} to {most:0.##}, not {token.Value}."); }
    });
}
