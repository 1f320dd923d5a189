using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace CoAP.Load.Compare;

/// <summary>What is compared, and how long.</summary>
internal sealed record CompareSettings
{
    public const string Usage = """
        CoAP.NET.Load compare [options]      the servers in turn, A B A B, pinned to one processor and the generator to another
          --quick                 one case in under a minute    --dry                  each thing once for a moment, to see that it runs
          --outstanding N,N       UDP (1,16,64,256)             --sockets N,N          UDP (16,1000,10000)
          --only UDP,TCP          the transports                --servers NAME,NAME    coap.net, libcoap, batched, each, pipelines;
                                                           others: coap.net-awaited, coap.net-apart, awaited
          --rounds N              A B A B … (3)                 --seconds N            measured in each round (5)
          --warm-up S             after a server's start (15)   --settle S             before each round (2)
          --server-cpu N          the servers' processor (0)    --cpu N                the generator's (1)
          --sample FILE           SampleServer.dll              --libcoap FILE         coap-server of libcoap
          --output FOLDER         report, CSV and pictures (load)
        """;

    public bool IsQuick { get; private init; }

    public bool IsDry { get; private init; }

    public IReadOnlyList<int> Outstanding { get; private init; } = [1, 16, 64, 256];

    public IReadOnlyList<int> Sockets { get; private init; } = [16, 1_000, 10_000];

    public IReadOnlyList<string> Transports { get; private init; } = ["UDP", "TCP"];

    /// <summary>The servers by their short names.</summary>
    public IReadOnlyList<string> Servers { get; private init; } = Peer.Usual;

    public int Rounds { get; private init; } = 3;

    public TimeSpan Measured { get; private init; } = TimeSpan.FromSeconds(5);

    /// <summary>The load before the first round of a server: .NET compiles for 10 to 15 s where it has one busy processor.</summary>
    public TimeSpan WarmUp { get; private init; } = TimeSpan.FromSeconds(15);

    public TimeSpan Settle { get; private init; } = TimeSpan.FromSeconds(2);

    public int ServerProcessor { get; private init; }

    public int Processor { get; private init; } = 1;

    public string? Sample { get; private init; }

    public string Libcoap { get; private init; } = "coap-server-notls";

    public string Output { get; private init; } = "load";

    /// <summary>Whether a server of this short name takes part.</summary>
    public bool Wants(string name) => Servers.Contains(name);

    /// <summary>The combinations that are measured.</summary>
    public IEnumerable<Case> Cases
    {
        get
        {
            foreach (var transport in Transports)
            {
                if (transport == "TCP")
                {
                    yield return new(true, 1, 64);
                    if (!IsQuick) { yield return new(true, 1_000, 1); }
                    continue;
                }

                foreach (var sockets in Sockets)
                {
                    foreach (var outstanding in Outstanding) { yield return new(false, sockets, outstanding); }
                }
            }
        }
    }

    public static bool TryParse(string[] args, [NotNullWhen(true)] out CompareSettings? settings, [NotNullWhen(false)] out string? error)
    {
        settings = args.Contains("--dry") ? Dry : args.Contains("--quick") ? Quick : new();
        error = null;
        for (var at = 0; at < args.Length && error is null; at++)
        {
            if (args[at] is "--dry" or "--quick") { continue; }
            var value = at + 1 < args.Length ? args[at + 1] : "";
            if (settings.With(args[at], value) is { } changed) { (settings, at) = (changed, at + 1); }
            else { error = $"'{args[at]} {value}' is not understood."; }
        }

        return error is null;
    }

    private static CompareSettings Quick => new()
    {
        IsQuick = true,
        Outstanding = [64],
        Sockets = [16],
        Transports = ["UDP"],
        Rounds = 2,
        Measured = TimeSpan.FromSeconds(2),
        WarmUp = TimeSpan.FromSeconds(8),
        Settle = TimeSpan.FromSeconds(0.5),
    };

    private static CompareSettings Dry => Quick with
    {
        IsDry = true,
        Transports = ["UDP", "TCP"],
        Rounds = 1,
        Measured = TimeSpan.FromSeconds(0.5),
        WarmUp = TimeSpan.FromSeconds(0.2),
        Settle = TimeSpan.FromSeconds(0.1),
    };

    private CompareSettings? With(string name, string value)
    {
        var isNumber = double.TryParse(value, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number) && number < 1e6;
        return name switch
        {
            "--outstanding" when TryList(value, out var list) => this with { Outstanding = list },
            "--sockets" when TryList(value, out var list) => this with { Sockets = list },
            "--only" when value.Split(',').All(static one => one is "UDP" or "TCP") => this with { Transports = value.Split(',') },
            "--servers" when value.Length > 0 => this with { Servers = value.Split(',') },
            "--rounds" when isNumber && number >= 1 => this with { Rounds = (int)number },
            "--seconds" when isNumber && number > 0 => this with { Measured = TimeSpan.FromSeconds(number) },
            "--warm-up" when isNumber => this with { WarmUp = TimeSpan.FromSeconds(number) },
            "--settle" when isNumber => this with { Settle = TimeSpan.FromSeconds(number) },
            "--server-cpu" when isNumber => this with { ServerProcessor = (int)number },
            "--cpu" when isNumber => this with { Processor = (int)number },
            "--sample" when value.Length > 0 => this with { Sample = value },
            "--libcoap" when value.Length > 0 => this with { Libcoap = value },
            "--output" when value.Length > 0 => this with { Output = value },
            _ => null,
        };
    }

    private static bool TryList(string value, out int[] list)
    {
        const int Most = 60_000;
        var parts = value.Split(',');
        list = [.. parts.Select(static one => int.TryParse(one, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : 0)];
        return list.All(static one => one is > 0 and <= Most);
    }
}
