namespace CoAP.Benchmarks.Load;

/// <summary>One round of one server, and the metrics that the server has printed since its start.</summary>
internal sealed record Measurement(Case Case, Peer Peer, int Round, LoadResult Result, IReadOnlyDictionary<string, double> Metrics)
{
    public double Metric(string name) => Metrics.TryGetValue(name, out var value) ? value : double.NaN;
}

/// <summary>The tables and charts of a comparison. Figures are medians of the rounds; ratios are medians of the ratios within a round.</summary>
internal sealed class ComparisonTables(IReadOnlyList<Measurement> all)
{
    private static readonly (string Name, Func<Measurement, double> Value)[] Figures =
    [
        ("requests/s", Rate), ("p50 us", static one => one.Result.Microseconds(0.5)), ("p99 us", P99), ("p99.9 us", static one => one.Result.Microseconds(0.999)),
        ("p99.99 us", static one => one.Result.Microseconds(0.9999)), ("max us", static one => one.Result.Tally.Latencies.Max / 1000.0), ("CPU us/request", Cpu),
        ("of a core", static one => one.Result.ServerShare), ("switches/request", static one => one.Result.SwitchesPerAnswer), ("resident MiB", static one => one.Result.ResidentMebibytes),
        ("lost", static one => one.Result.Tally.Lost), ("errors", static one => one.Result.Tally.Errors), ("strays", static one => one.Result.Tally.Strays),
        ("window s", static one => one.Metric("coap.deduplication.window")), ("longest pause ms", static one => one.Metric("dotnet.pauses.longest_ms")),
        ("pauses", static one => one.Metric("dotnet.pauses")), ("collections gen 1", static one => one.Metric("dotnet.collections.gen1")),
        ("bytes/message", static one => one.Metric("dotnet.allocated") / one.Metric("coap.message.received")), ("generator", static one => one.Result.GeneratorShare),
    ];

    /// <summary>Adds the tables and charts to a report.</summary>
    public void Add(Report report)
    {
        report.Add(Results());
        report.Add(Ratios());
        report.Save(Rounds());
        foreach (var chart in Charts()) { report.Add(chart); }
    }

    /// <summary>Returns a row for each case and server.</summary>
    public Table Results()
    {
        var table = new Table("results", ["load", "server", .. Figures.Select(static figure => figure.Name)]);
        foreach (var group in all.GroupBy(static one => (one.Case, one.Peer)))
        {
            table.Add([$"{group.Key.Case}", group.Key.Peer.Name, .. Figures.Select(figure => Runs.Format(Median(group, figure.Value)))]);
        }
        return table;
    }

    /// <summary>Returns a row for each round, and the version of each server.</summary>
    public Table Rounds()
    {
        var table = new Table("rounds", ["load", "server", "version", "round", .. Figures.Select(static figure => figure.Name)]);
        foreach (var one in all)
        {
            table.Add([$"{one.Case}", one.Peer.Name, one.Peer.Version, $"{one.Round}", .. Figures.Select(figure => Exact(figure.Value(one)))]);
        }
        return table;
    }

    /// <summary>Returns the library against each of the other servers.</summary>
    public Table Ratios()
    {
        var table = new Table("ratios", "load", "server", "to", "requests/s", "CPU per request", "p50", "p99");
        foreach (var group in all.GroupBy(static one => one.Case))
        {
            var peers = group.Select(static one => one.Peer).Distinct().ToArray();
            foreach (var (ours, other) in from ours in peers where ours.IsOurs from other in peers where !other.IsOurs select (ours, other))
            {
                string Ratio(Func<Measurement, double> value) => Runs.Format(Against(group, ours, other, value));
                table.Add($"{group.Key}", ours.Name, other.Name, Ratio(Rate), Ratio(Cpu), Ratio(static one => one.Result.Microseconds(0.5)), Ratio(P99));
            }
        }
        return table;
    }

    // By the requests outstanding over the fewest sockets, and by the sockets with the most common number outstanding.
    private IEnumerable<Chart> Charts()
    {
        var udp = all.Where(static one => !one.Case.IsTcp).ToArray();
        if (udp.Length == 0) { yield break; }
        var fewest = udp.Min(static one => one.Case.Sockets);
        var usual = udp.GroupBy(static one => one.Case.Outstanding).MaxBy(static group => group.Select(static one => one.Case.Sockets).Distinct().Count())!.Key;
        (string Name, string Title, Func<Measurement, double> Value)[] figures =
        [
            ("requests", "Requests a second over UDP", Rate),
            ("cpu", "Microseconds of the server's CPU for a request over UDP", Cpu),
            ("p99", "99th percentile of the latency over UDP, us", P99),
        ];
        foreach (var (name, title, value) in figures)
        {
            yield return Draw(name, title, "requests outstanding", udp.Where(one => one.Case.Sockets == fewest), static one => one.Outstanding, value);
            yield return Draw($"{name}-sockets", title, "sockets", udp.Where(one => one.Case.Outstanding == usual), static one => one.Sockets, value);
        }
    }

    private static Chart Draw(string name, string title, string across, IEnumerable<Measurement> runs, Func<Case, int> place, Func<Measurement, double> value)
    {
        var chart = new Chart(name, title, across, title);
        foreach (var line in runs.GroupBy(static one => one.Peer))
        {
            chart.Add(line.Key.Short, line.GroupBy(one => place(one.Case)).Select(group => ((double)group.Key, Median(group, value))));
        }
        return chart;
    }

    private static double Rate(Measurement one) => one.Result.Rate;

    private static double Cpu(Measurement one) => one.Result.CpuPerAnswer;

    private static double P99(Measurement one) => one.Result.Microseconds(0.99);

    private static double Median(IEnumerable<Measurement> group, Func<Measurement, double> value) => new Runs(group.Select(value)).Median;

    private static string Exact(double value) => double.IsFinite(value) ? value.ToString("0.###", CultureInfo.InvariantCulture) : "";

    private static double Against(IEnumerable<Measurement> group, Peer ours, Peer other, Func<Measurement, double> value) => new Runs(
        from mine in @group
        where mine.Peer == ours
        from theirs in @group
        where theirs.Peer == other && theirs.Round == mine.Round && value(theirs) > 0
        select value(mine) / value(theirs)).Median;
}
