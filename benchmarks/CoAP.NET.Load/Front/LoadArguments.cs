using System.Diagnostics.CodeAnalysis;
using System.Net;
using CoAP.Measurements.Reporting;

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
    private const double Least = 0.001, MostSeconds = 1e6, MostMilliseconds = 1e9;

    /// <summary>The processor to run on.</summary>
    public int? Processor { get; private init; }

    public string? JsonFile { get; private init; }

    public string? CsvFile { get; private init; }

    public static bool TryParse(string[] args, [NotNullWhen(true)] out LoadArguments? arguments, [NotNullWhen(false)] out string? error)
    {
        arguments = null;
        error = "A URI is missing.";
        if (args.Length == 0 || !TryFind(args[0], out var start, out error) || !Words.TryRead(args.AsSpan(1), start, out arguments, out error)) { return false; }
        var load = arguments.Settings;
        error = load.IsTcp && (long)load.Sockets * load.Outstanding > MostSlots
            ? $"{load.Sockets} connections with {load.Outstanding} requests each are more than {MostSlots}."
            : null;
        return error is null;
    }

    private static bool TryFind(string text, [NotNullWhen(true)] out LoadArguments? arguments, [NotNullWhen(false)] out string? error)
    {
        arguments = null;
        if (!CoapUri.TryParse(text, out var uri, out error)) { return false; }
        if (uri.Scheme is not (CoapScheme.Coap or CoapScheme.CoapTcp)) { error = $"Load over {uri.Scheme.GetName()} cannot be made; coap and coap+tcp are there."; }
        else if (Resolve(uri) is not { } server) { error = $"The host {uri.Host} is unknown."; }
        else { arguments = new(uri, new() { Server = server, IsTcp = uri.Scheme == CoapScheme.CoapTcp, Options = uri.ToOptions(uri.Host, uri.Port) }); }
        return arguments is not null;
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

    private static Words<LoadArguments> Words => new Words<LoadArguments>()
        .OneOf("--method", [.. Methods.Keys], static (all, name) => all.With(one => one with { Method = Methods[name] }))
        .Alone("--non", static all => all.With(static one => one with { IsConfirmable = false }))
        .Alone("--spin", static all => all.With(static one => one with { Spins = true }))
        .Alone("--portable", static all => all.With(static one => one with { IsPortable = true }))
        .Count("--payload", 0, MostPayload, static (all, count) => all.With(one => one with { PayloadLength = count }))
        .Count("--token-length", 1, 8, static (all, count) => all.With(one => one with { TokenLength = count }))
        .Count("--sockets", 1, MostSockets, static (all, count) => all.With(one => one with { Sockets = count }))
        .Count("--outstanding", 1, MostOutstanding, static (all, count) => all.With(one => one with { Outstanding = count }))
        .Number("--rate", Least, int.MaxValue, static (all, number) => all.With(one => one with { Rate = number }))
        .Number("--duration", Least, MostSeconds, static (all, number) => all.With(one => one with { Duration = TimeSpan.FromSeconds(number) }))
        .Number("--warm-up", 0, MostSeconds, static (all, number) => all.With(one => one with { WarmUp = TimeSpan.FromSeconds(number) }))
        .Count("--count", 1, int.MaxValue, static (all, count) => all.With(one => one with { Limit = count }))
        .Number("--patience", 1, MostMilliseconds, static (all, number) => all.With(one => one with { Patience = TimeSpan.FromMilliseconds(number) }))
        .Number("--retransmit", 1, MostMilliseconds, static (all, number) => all.With(one => one with { RetransmitAfter = TimeSpan.FromMilliseconds(number) }))
        .Count("--pid", 1, int.MaxValue, static (all, id) => all.With(one => one with { ServerProcess = id }))
        .Count("--cpu", 0, Affinity.Most, static (all, processor) => all with { Processor = processor })
        .Text("--json", "a file, or - for the standard output", static (all, file) => all with { JsonFile = file })
        .Text("--csv", "a file, or - for the standard output", static (all, file) => all with { CsvFile = file });

    private static Dictionary<string, CoapCode> Methods { get; } =
        new() { ["get"] = RequestCode.Get, ["put"] = RequestCode.Put, ["post"] = RequestCode.Post };

    private LoadArguments With(Func<LoadSettings, LoadSettings> change) => this with { Settings = change(Settings) };
}
