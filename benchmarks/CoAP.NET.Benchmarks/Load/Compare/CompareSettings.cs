namespace CoAP.Benchmarks.Load;

/// <summary>One kind of load. The requests outstanding are all over UDP, and those of each connection over TCP.</summary>
internal sealed record Case(bool IsTcp, int Sockets, int Outstanding)
{
    public override string ToString() => IsTcp ? $"TCP, {Sockets:N0} × {Outstanding}" : $"UDP, {Outstanding} over {Sockets:N0} sockets";
}

/// <summary>The servers and loads of a comparison, and their times.</summary>
internal sealed record CompareSettings(RunSettings Run)
{
    private const string Udp = "UDP", Tcp = "TCP";
    private const int Most = 60_000;

    public IReadOnlyList<int> Outstanding { get; private init; } = [];

    public IReadOnlyList<int> Sockets { get; private init; } = [];

    /// <summary>Whether each number of sockets is measured with each number outstanding. Otherwise only the lowest number of sockets is.</summary>
    public bool IsCrossed { get; private init; }

    public IReadOnlyList<string> Transports { get; private init; } = [];

    /// <summary>The short names of the servers.</summary>
    public IReadOnlyList<string> Servers { get; private init; } = [];

    public int Rounds { get; private init; }

    /// <summary>How long each round is measured.</summary>
    public TimeSpan Measured { get; private init; }

    /// <summary>The load before the first round of a server. .NET compiles for 10 to 15 s when it has one busy core.</summary>
    public TimeSpan WarmUp { get; private init; }

    /// <summary>The load before each round.</summary>
    public TimeSpan Settle { get; private init; }

    public string? Sample { get; private init; }

    /// <summary>The combinations that are measured.</summary>
    public IEnumerable<Case> Cases => Transports.SelectMany(transport => transport == Tcp ? OverTcp : OverUdp);

    private IEnumerable<Case> OverTcp => Run.Form <= RunForm.Quick ? [new(true, 1, 64)] : [new(true, 1, 64), new(true, 1_000, 1)];

    private IEnumerable<Case> OverUdp =>
        from sockets in Sockets
        from outstanding in IsCrossed || sockets == Sockets[0] ? Outstanding : [64]
        select new Case(false, sockets, outstanding);

    public static CompareSettings Read(Arguments arguments)
    {
        var run = RunSettings.Read("load", arguments);
        var (outstanding, sockets) = (arguments.Counts("--outstanding", 1, Most), arguments.Counts("--sockets", 1, Most));
        var (rounds, measured, warmUp, settle) = run.Form.Choose((1, 0.3, 0.1, 0.1), (2, 2, 8, 0.5), (3, 5, 15, 2), (10, 15, 20, 2.0));
        var isBrief = run.Form <= RunForm.Quick;
        var settings = new CompareSettings(run)
        {
            Outstanding = outstanding ?? (isBrief ? [64] : [1, 16, 64, 256]),
            Sockets = sockets ?? (isBrief ? [16] : [16, 1_000, 10_000]),
            IsCrossed = run.Form != RunForm.Full || outstanding is not null || sockets is not null,
            Transports = arguments.Names("--over", [Udp, Tcp]) ?? (run.Form == RunForm.Quick ? [Udp] : [Udp, Tcp]),
            Servers = arguments.Names("--servers", Peer.ShortNames) ?? Peer.Usual,
            Rounds = run.Repeats ?? rounds,
            Measured = arguments.Seconds("--seconds", 0.001) ?? TimeSpan.FromSeconds(measured),
            WarmUp = arguments.Seconds("--warm-up", 0) ?? TimeSpan.FromSeconds(warmUp),
            Settle = arguments.Seconds("--settle", 0) ?? TimeSpan.FromSeconds(settle),
            Sample = arguments.Text("--sample", "the SampleServer.dll"),
        };
        arguments.End();
        return settings;
    }
}
