namespace CoAP.Benchmarks.Load;

/// <summary>The servers that are attacked, and the length and strength of the attacks.</summary>
/// <param name="Run">The shared settings.</param>
/// <param name="Time">The length of an attack.</param>
/// <param name="Rate">The datagrams a second of a flood.</param>
internal sealed record AttacksPlan(RunSettings Run, TimeSpan Time, double Rate)
{
    /// <summary>The names in tables of a server of this program, and of one that runs already.</summary>
    public const string Own = "own", Running = "running";

    /// <summary>A server that runs already. Default: a sample server for each attack.</summary>
    public IPEndPoint? Server { get; private init; }

    public int? TlsPort { get; private init; }

    public int? DtlsPort { get; private init; }

    public int? Process { get; private init; }

    /// <summary>The sample servers by their names in the table.</summary>
    public IReadOnlyList<(string Name, string Path)> Samples { get; private init; } = [];

    /// <summary>The time of each load on a new server before the attack: /hello over UDP and over TCP, then the requests of each honest peer.</summary>
    public TimeSpan WarmUp { get; private init; }

    /// <summary>The time of the attack before it is measured.</summary>
    public TimeSpan Rehearsal => Run.Form == RunForm.Dry ? TimeSpan.Zero : TimeSpan.FromSeconds(0.3);

    /// <summary>The time that honest peers go on after the attack.</summary>
    public TimeSpan Aftermath { get; private init; }

    /// <summary>The longest time from the end of the attack until the server should hold nothing more.</summary>
    public TimeSpan Recovery { get; private init; }

    /// <summary>The paces of the attackers. Default: all that an attack has.</summary>
    public IReadOnlyList<Pace> Paces { get; private init; } = [];

    /// <summary>Whether all attacks come at the same time, which shows what memory they need.</summary>
    public bool IsTogether { get; private init; }

    public int Rounds => Run.Repeats ?? 1;

    /// <summary>Whether one server and one attacker do for all attacks. Starting them takes much time, and what one attack leaves is there for the next.</summary>
    public bool SharesServers { get; private init; }

    public static AttacksPlan Read(Arguments arguments)
    {
        var run = RunSettings.Read("attacks", arguments, [.. LedgerAttack.All.SelectMany(static attack => new[] { attack.Group, attack.Name }).Distinct()]);
        var (time, warmUp, aftermath, recovery) = run.Form.Choose((0.1, 0.02, 0, 0), (3, 2, 2, 10), (6, 3, 2, 10), (20.0, 12.0, 2.0, 10.0));
        var server = arguments.Text("--server", "127.0.0.1:PORT");
        var sample = arguments.Text("--sample", "the SampleServer.dll") ?? Peer.FindSample();
        var before = arguments.Text("--base", "the SampleServer.dll of another build");
        var rate = arguments.Number("--rate", 1, 1_000_000) ?? run.Form.Choose(1_000, 20_000, 20_000, 20_000);
        return new AttacksPlan(run, arguments.Seconds("--seconds", 0.001) ?? TimeSpan.FromSeconds(time), rate)
        {
            Server = server is null ? null : IPEndPoint.TryParse(server, out var point) && IPAddress.IsLoopback(point.Address) ? point
                : throw new UsageException($"--server is '{server}'; allowed is 127.0.0.1:PORT, because forged addresses exist on the loopback only."),
            TlsPort = arguments.Count("--tls-port", 1, IPEndPoint.MaxPort),
            DtlsPort = arguments.Count("--dtls-port", 1, IPEndPoint.MaxPort),
            Process = arguments.Count("--pid", 1, int.MaxValue),
            Samples = [.. new[] { ("before", before), ("after", sample) }.Where(static one => one.Item2 is not null).Select(static one => (one.Item1, one.Item2!))],
            Paces = arguments.OneOf("--pace", "fast", "slow") is { } pace ? [Enum.Parse<Pace>(pace, ignoreCase: true)] : Enum.GetValues<Pace>(),
            SharesServers = arguments.Flag("--shared") || run.Form == RunForm.Dry,
            IsTogether = arguments.Flag("--together"),
            WarmUp = arguments.Seconds("--warm-up", 0) ?? TimeSpan.FromSeconds(warmUp),
            Aftermath = TimeSpan.FromSeconds(aftermath),
            Recovery = arguments.Seconds("--recovery", 0) ?? TimeSpan.FromSeconds(recovery),
        };
    }

    /// <summary>The servers for attacks that the sample server has the resources for.</summary>
    public IEnumerable<string> Servers => Server is null ? Samples.Select(static one => one.Name) : [Running];

    /// <summary>Returns the path of a sample server.</summary>
    public string PathOf(string sample) => Samples.Single(one => one.Name == sample).Path;

    /// <summary>Returns the paces at which an attack is measured. Attacks that are not measured have one each, in turns.</summary>
    public IEnumerable<Pace> PacesOf(LedgerAttack attack, int number)
    {
        var paces = attack.Paces.Where(Paces.Contains).ToArray();
        return Run.Form == RunForm.Dry && paces.Length > 0 ? [paces[number % paces.Length]] : paces;
    }

    public bool Wants(LedgerAttack attack) => Run.Wants(attack.Group) || Run.Wants(attack.Name);
}
