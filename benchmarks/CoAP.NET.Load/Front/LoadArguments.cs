using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Net;

namespace CoAP.Load.Front;

/// <summary>What the command line of a run says.</summary>
internal sealed record LoadArguments(CoapUri Uri, LoadSettings Settings)
{
    public const string Usage = """
        CoAP.NET.Load URI [options]          coap://HOST[:PORT]/PATH or coap+tcp://HOST[:PORT]/PATH
          --method get|put|post   what is asked for (get)        --payload BYTES      its payload's length (0)
          --non                   non-confirmable requests       --token-length N     1 to 8 bytes (8)
          --sockets N             sockets or connections (16)    --outstanding N      without answer: in all over UDP,
          --rate N                open loop: N requests/s                             per connection over TCP (64)
          --duration S            seconds measured (5)           --warm-up S          seconds of load before (12)
          --count N               ends after N answers           --patience MS        a request is lost after (2000)
          --retransmit MS         sends a CON again after MS, doubled each time, 4 times at most (never)
          --pid N                 the server's process: its CPU time, resident set and context switches
          --cpu N                 runs on that processor only    --spin               polls, never sleeps
          --portable              one call per datagram, on Linux too
          --json FILE  --csv FILE the result for programs; a CSV file gets a line more; - is the standard output
        CoAP.NET.Load compare [options]      our server, libcoap's and bare echoes in turn; compare --help
        CoAP.NET.Load echo PORT FORM         a bare echo: udp-batch, udp-each or tcp-pipe
        """;

    private const int MostSockets = 60_000, MostOutstanding = 1 << 20, MostSlots = 1 << 24, MostPayload = 60_000;

    /// <summary>The processor to run on.</summary>
    public int? Processor { get; private init; }

    public string? JsonFile { get; private init; }

    public string? CsvFile { get; private init; }

    public static bool TryParse(string[] args, [NotNullWhen(true)] out LoadArguments? arguments, [NotNullWhen(false)] out string? error)
    {
        arguments = null;
        CoapUri? uri = null;
        error = args.Length == 0 ? "A URI is missing." : CoapUri.TryParse(args[0], out uri, out var problem) ? null : problem;
        if (uri is null) { error ??= "A URI is missing."; return false; }
        if (uri.Scheme is not (CoapScheme.Coap or CoapScheme.CoapTcp)) { error = $"Load over {uri.Scheme.GetName()} cannot be made."; }
        else if (Resolve(uri) is not { } server) { error = $"The host {uri.Host} is unknown."; }
        else { arguments = new(uri, new() { Server = server, IsTcp = uri.Scheme == CoapScheme.CoapTcp, Options = uri.ToOptions(uri.Host, uri.Port) }); }
        for (var at = 1; at < args.Length && error is null && arguments is not null; at++)
        {
            var value = at + 1 < args.Length ? args[at + 1] : "";
            if (arguments.TryFlag(args[at], out var flagged)) { arguments = flagged; }
            else if (arguments.TryValue(args[at], value, out var valued)) { (arguments, at) = (valued, at + 1); }
            else { error = $"'{args[at]} {value}' is not understood."; }
        }

        if (error is null && arguments is { Settings: { IsTcp: true } load } && (long)load.Sockets * load.Outstanding > MostSlots)
        {
            error = $"{load.Sockets} connections with {load.Outstanding} requests each are more than {MostSlots}.";
        }

        return error is null && arguments is not null;
    }

    private static IPEndPoint? Resolve(CoapUri uri)
    {
        try
        {
            return new IPEndPoint(uri.Address ?? Dns.GetHostAddresses(uri.Host)[0], uri.Port);
        }
        catch (System.Net.Sockets.SocketException)
        {
            return null;
        }
    }

    private bool TryFlag(string name, [NotNullWhen(true)] out LoadArguments? arguments)
    {
        var settings = name switch
        {
            "--non" => Settings with { IsConfirmable = false },
            "--spin" => Settings with { Spins = true },
            "--portable" => Settings with { IsPortable = true },
            _ => null,
        };
        arguments = settings is null ? null : this with { Settings = settings };
        return arguments is not null;
    }

    private bool TryValue(string name, string value, [NotNullWhen(true)] out LoadArguments? arguments)
    {
        var isNumber = double.TryParse(value, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number);
        var settings = isNumber && number < int.MaxValue ? WithNumber(name, number) : name == "--method" ? WithMethod(value) : null;
        arguments = name switch
        {
            "--cpu" when isNumber => this with { Processor = (int)number },
            "--json" when value.Length > 0 => this with { JsonFile = value },
            "--csv" when value.Length > 0 => this with { CsvFile = value },
            _ when settings is not null => this with { Settings = settings },
            _ => null,
        };
        return arguments is not null;
    }

    private LoadSettings? WithNumber(string name, double number) => name switch
    {
        "--payload" when number <= MostPayload => Settings with { PayloadLength = (int)number },
        "--token-length" when number is >= 1 and <= 8 => Settings with { TokenLength = (int)number },
        "--sockets" when number is >= 1 and <= MostSockets => Settings with { Sockets = (int)number },
        "--outstanding" when number is >= 1 and <= MostOutstanding => Settings with { Outstanding = (int)number },
        "--rate" when number > 0 => Settings with { Rate = number },
        "--duration" when number > 0 => Settings with { Duration = TimeSpan.FromSeconds(number) },
        "--warm-up" => Settings with { WarmUp = TimeSpan.FromSeconds(number) },
        "--count" when number >= 1 => Settings with { Limit = (long)number },
        "--patience" when number >= 1 => Settings with { Patience = TimeSpan.FromMilliseconds(number) },
        "--retransmit" when number >= 1 => Settings with { RetransmitAfter = TimeSpan.FromMilliseconds(number) },
        "--pid" when number >= 1 => Settings with { ServerProcess = (int)number },
        _ => null,
    };

    private LoadSettings? WithMethod(string value) => value switch
    {
        "get" => Settings with { Method = RequestCode.Get },
        "put" => Settings with { Method = RequestCode.Put },
        "post" => Settings with { Method = RequestCode.Post },
        _ => null,
    };
}
