using System.CommandLine;
using System.Text;
using CoAP.Tool.Connecting;

namespace CoAP.Tool.Benchmarking;

/// <summary>The arguments that describe a load.</summary>
internal sealed class BenchArguments
{
    private const int MaxClients = 4096, MaxConcurrency = 16_384, MaxSlots = 1 << 20, MaxPayload = 64 << 10;

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
        Description = "The number of requests that a client has in flight. RFC 7252, section 4.7, recommends 1; this is a load test.",
        DefaultValueFactory = static _ => Defaults.Concurrency,
    };

    private readonly Option<TimeSpan?> _for = new("--for")
    {
        HelpName = "TIME",
        Description = $"How long to measure, such as 30s. Default: {Defaults.Duration.TotalSeconds:0} s.",
        CustomParser = Connecting.Duration.Parse,
    };

    private readonly Option<TimeSpan?> _warmUp = new("--warm-up")
    {
        HelpName = "TIME",
        Description = $"How long to send requests before the measurement starts. Default: {Defaults.WarmUp.TotalSeconds:0} s.",
        CustomParser = Connecting.Duration.ParseOrZero,
    };

    private readonly Option<double?> _rate = new("--rate")
    {
        HelpName = "N",
        Description = "Send N requests per second, regardless of responses. Default: each response triggers the next request.",
    };

    private readonly Option<string?> _payload = new("--payload") { HelpName = "TEXT", Description = "The payload of PUT and POST." };
    private readonly Option<int?> _size = new("--size") { HelpName = "BYTES", Description = "The size of a payload of letters \"x\", instead of --payload." };
    private readonly Option<bool> _isNonConfirmable = new("--non") { Description = "Send non-confirmable messages over UDP." };

    public BenchArguments()
    {
        _method.AcceptOnlyFromAmong("get", "put", "post");
        Bounds.Set(_clients, 1, MaxClients);
        Bounds.Set(_concurrency, 1, MaxConcurrency);
        Bounds.Set(_size, 0, MaxPayload);
        Bounds.Set(_rate, 0.01, 1e7);
    }

    public void AddTo(Command command)
    {
        command.Add(_uri);
        Option[] options = [_method, _clients, _concurrency, _for, _warmUp, _rate, _payload, _size, _isNonConfirmable];
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
    /// <param name="timeout">The time after which a request without a response counts as failed; <see langword="null"/> for the default.</param>
    /// <exception cref="FormatException">The URI is malformed.</exception>
    public BenchSettings Read(ParseResult arguments, TimeSpan? timeout)
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
            Duration = arguments.GetValue(_for) ?? Defaults.Duration,
            WarmUp = arguments.GetValue(_warmUp) ?? Defaults.WarmUp,
            ResponseTimeout = timeout ?? Defaults.ResponseTimeout,
        };
    }
}
