using System.Diagnostics.CodeAnalysis;
using CoAP.Measurements.Reporting;

namespace CoAP.Load.Compare;

/// <summary>What is compared, and how long.</summary>
internal sealed record CompareSettings
{
    public const string Usage = """
        CoAP.NET.Load compare [--dry | --quick | --full] [options]
                                  the servers in turn, A B A B, pinned to one processor and the generator to another
          --dry                   each thing once for a moment, to see that it runs
          --quick                 one case in under a minute
          --full                  what is claimed of the library, with longer and more runs: about an hour and a half
          --outstanding N,N       UDP (1,16,64,256)             --sockets N,N          UDP (16,1000,10000)
          --only UDP,TCP          the transports                --servers NAME,NAME    coap.net, libcoap, batched, each, pipelines;
                                                           others: coap.net-awaited, coap.net-apart, awaited
          --repeats N             A B A B … (3)                 --seconds S            measured in each round (5)
          --warm-up S             after a server's start (15)   --settle S             before each round (2)
          --server-cpu N          the servers' processor (0)    --cpu N                the generator's (1)
          --sample FILE           SampleServer.dll              --libcoap FILE         coap-server of libcoap
          --output FOLDER         report, CSV and pictures (load)
        """;

    private const string Udp = "UDP", Tcp = "TCP";
    private const int MostSockets = 60_000, MostOutstanding = 60_000;
    private const double Least = 0.001, MostSeconds = 1e6;

    private static readonly string[] AllTransports = [Udp, Tcp];
    private static readonly int[] OutstandingOfMany = [64];

    public RunForm Form { get; private init; } = RunForm.Usual;

    public IReadOnlyList<int> Outstanding { get; private init; } = [1, 16, 64, 256];

    public IReadOnlyList<int> Sockets { get; private init; } = [16, 1_000, 10_000];

    /// <summary>Whether each number of sockets is measured with each number outstanding, and not the higher ones with 64 alone.</summary>
    public bool IsCrossed { get; private init; } = true;

    public IReadOnlyList<string> Transports { get; private init; } = AllTransports;

    /// <summary>The servers by their short names.</summary>
    public IReadOnlyList<string> Servers { get; private init; } = Peer.Usual;

    public int Repeats { get; private init; } = 3;

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
    public IEnumerable<Case> Cases => Transports.SelectMany(transport => transport == Tcp ? OverTcp : OverUdp);

    private IEnumerable<Case> OverTcp => Form == RunForm.Quick || Form == RunForm.Dry ? [new(true, 1, 64)] : [new(true, 1, 64), new(true, 1_000, 1)];

    private IEnumerable<Case> OverUdp =>
        from sockets in Sockets
        from outstanding in IsCrossed || sockets == Sockets[0] ? Outstanding : OutstandingOfMany
        select new Case(false, sockets, outstanding);

    public static bool TryParse(string[] args, [NotNullWhen(true)] out CompareSettings? settings, [NotNullWhen(false)] out string? error)
    {
        // The form first: what else is said changes it, wherever it stands.
        var form = new Words<CompareSettings>().Form(static (_, form) => form.Choose(Dry, Quick, new(), Full));
        var start = new CompareSettings();
        foreach (var word in args)
        {
            if (form.TryRead([word], start, out var chosen, out _)) { start = chosen; }
        }
        return Words.TryRead(args, start, out settings, out error);
    }

    private static CompareSettings Dry => Quick with
    {
        Form = RunForm.Dry,
        Transports = AllTransports,
        Repeats = 1,
        Measured = TimeSpan.FromSeconds(0.5),
        WarmUp = TimeSpan.FromSeconds(0.2),
        Settle = TimeSpan.FromSeconds(0.1),
    };

    private static CompareSettings Quick => new()
    {
        Form = RunForm.Quick,
        Outstanding = [64],
        Sockets = [16],
        Transports = [Udp],
        Repeats = 2,
        Measured = TimeSpan.FromSeconds(2),
        WarmUp = TimeSpan.FromSeconds(8),
        Settle = TimeSpan.FromSeconds(0.5),
    };

    private static CompareSettings Full => new()
    {
        Form = RunForm.Full,
        IsCrossed = false,
        Repeats = 10,
        Measured = TimeSpan.FromSeconds(15),
        WarmUp = TimeSpan.FromSeconds(20),
    };

    private static Words<CompareSettings> Words => new Words<CompareSettings>()
        .Form(static (settings, _) => settings)
        .Counts("--outstanding", 1, MostOutstanding, static (settings, counts) => settings with { Outstanding = counts, IsCrossed = true })
        .Counts("--sockets", 1, MostSockets, static (settings, counts) => settings with { Sockets = counts, IsCrossed = true })
        .Only(AllTransports, static (settings, transports) => settings with { Transports = transports })
        .Names("--servers", Peer.ShortNames, static (settings, names) => settings with { Servers = names })
        .Repeats(static (settings, repeats) => settings with { Repeats = repeats })
        .Number("--seconds", Least, MostSeconds, static (settings, number) => settings with { Measured = TimeSpan.FromSeconds(number) })
        .Number("--warm-up", 0, MostSeconds, static (settings, number) => settings with { WarmUp = TimeSpan.FromSeconds(number) })
        .Number("--settle", 0, MostSeconds, static (settings, number) => settings with { Settle = TimeSpan.FromSeconds(number) })
        .Count("--server-cpu", 0, Affinity.Most, static (settings, processor) => settings with { ServerProcessor = processor })
        .Count("--cpu", 0, Affinity.Most, static (settings, processor) => settings with { Processor = processor })
        .Text("--sample", "the SampleServer.dll", static (settings, file) => settings with { Sample = file })
        .Text("--libcoap", "coap-server of libcoap", static (settings, file) => settings with { Libcoap = file })
        .Output(static (settings, folder) => settings with { Output = folder });
}
