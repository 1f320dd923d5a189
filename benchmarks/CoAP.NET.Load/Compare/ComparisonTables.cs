using System.Globalization;
using CoAP.Measurements.Reporting;

namespace CoAP.Load.Compare;

/// <summary>What a comparison says, as tables and pictures. Medians of the rounds; ratios are those of one round each, and then their median.</summary>
internal sealed class ComparisonTables(IReadOnlyList<Measurement> all)
{
    private const double Mebi = 1 << 20;
    private const string Echo = "batched";
    private const int FewSockets = 16;

    private static readonly (string Name, string Title, Func<Measurement, double> Value)[] Drawn =
    [
        ("requests", "Requests a second over UDP", RateOf),
        ("cpu", "CPU seconds of the server for a million requests over UDP", CpuOf),
        ("p99", "99th percentile of the latency over UDP, µs", P99Of),
    ];

    private readonly Case[] _cases = [.. all.Select(static one => one.Case).Distinct()];

    /// <summary>A row for each case and server.</summary>
    public Table Results()
    {
        var table = new Table(
            "results", "load", "server", "requests/s", "p50 µs", "p99 µs", "p99.9 µs", "p99.99 µs", "max µs", "CPU s per million", "CPU to 16 sockets", "of a core", "switches per request",
            "RSS MiB", "lost", "errors", "window s", "longest pause ms", "generator");
        foreach (var group in all.GroupBy(static one => (one.Case, one.Peer)))
        {
            table.Add(
                $"{group.Key.Case}", group.Key.Peer.Name, Median(group, RateOf), Median(group, static one => one.Result.Microseconds(0.5)),
                Median(group, P99Of), Median(group, static one => one.Result.Microseconds(0.999)), Median(group, static one => one.Result.Microseconds(0.9999)),
                Median(group, static one => one.Result.Tally.Latencies.Max / 1000.0),
                Median(group, CpuOf), CpuToFewSockets(group), Percent(group, static one => one.Result.ServerCpu / one.Result.Time ?? 0), Median(group, SwitchesOf),
                Median(group, static one => (one.Result.Server?.After.ResidentBytes ?? 0) / Mebi), Sum(group, static one => one.Result.Tally.Lost),
                Sum(group, static one => one.Result.Tally.Errors), Told(group.Last().Told.Window), Told(group.Last().Told.LongestPause),
                Percent(group, static one => one.Result.GeneratorShare));
        }

        return table;
    }

    /// <summary>CoAP.NET against each of the others.</summary>
    public Table Ratios()
    {
        var table = new Table("ratios", "load", "server", "to", "requests/s", "CPU per request", "p50", "p99");
        foreach (var one in _cases)
        {
            var peers = all.Where(run => run.Case == one).Select(static run => run.Peer).Distinct().ToArray();
            foreach (var (ours, other) in peers.Where(static peer => peer.IsOurs).SelectMany(ours => peers.Where(static peer => !peer.IsOurs).Select(other => (ours, other))))
            {
                string Ratio(Func<Measurement, double> value) => Against(one, ours, other, value) is { Count: > 0 } runs ? Runs.Format(runs.Median) : "";
                table.Add($"{one}", ours.Name, other.Name, Ratio(RateOf), Ratio(CpuOf), Ratio(static run => run.Result.Microseconds(0.5)), Ratio(P99Of));
            }
        }

        return table;
    }

    /// <summary>What more sockets cost each server, against its own figures with the fewest.</summary>
    public Table Sockets()
    {
        var table = new Table("sockets", "server", "outstanding", "sockets", "requests/s to the fewest", "CPU per request to the fewest", "ratio to the batched echo to that with the fewest");
        foreach (var line in all.Where(static run => !run.Case.IsTcp).GroupBy(static run => (run.Peer, run.Case.Outstanding)))
        {
            var bySockets = line.GroupBy(static run => run.Case.Sockets).OrderBy(static group => group.Key).ToArray();
            foreach (var group in bySockets.Skip(1))
            {
                table.Add(
                    line.Key.Peer.Name, Whole(line.Key.Outstanding), Whole(group.Key), Runs.Format(Of(group, RateOf).Median / Of(bySockets[0], RateOf).Median),
                    Runs.Format(Of(group, CpuOf).Median / Of(bySockets[0], CpuOf).Median),
                    line.Key.Peer.IsOurs && ToEcho(bySockets[0]) is { } least && ToEcho(group) is { } more ? Runs.Format(more / least) : "");
            }
        }

        return table;
    }

    /// <summary>A line for each round.</summary>
    public Table Rounds()
    {
        var table = new Table(
            "rounds", "transport", "sockets", "outstanding", "server", "version", "round", "requests_per_second", "p50_us", "p99_us", "p99_9_us", "p99_99_us", "max_us",
            "cpu_s_per_million", "rss_bytes", "switches_per_request", "lost", "errors", "strays", "window_s", "longest_pause_ms", "pauses",
            "collections_gen1", "allocated_per_message", "generator_share");
        foreach (var run in all)
        {
            var (one, peer, round, result, told) = run;
            table.Add(
                one.IsTcp ? "TCP" : "UDP", Whole(one.Sockets), Whole(one.Outstanding), peer.Name, peer.Version, Whole(round), Exact(result.Rate),
                Exact(result.Microseconds(0.5)), Exact(result.Microseconds(0.99)), Exact(result.Microseconds(0.999)), Exact(result.Microseconds(0.9999)), Exact(result.Tally.Latencies.Max / 1000.0),
                Exact(result.ServerCpuPerMillion ?? double.NaN), Whole(result.Server?.After.ResidentBytes ?? 0), Exact(SwitchesOf(run)),
                Whole(result.Tally.Lost), Whole(result.Tally.Errors), Whole(result.Tally.Strays), Exact(told.Window), Exact(told.LongestPause), Exact(told.Pauses),
                Exact(told.OlderCollections), Exact(told.AllocatedPerMessage), Exact(result.GeneratorShare));
        }

        return table;
    }

    /// <summary>By the requests outstanding over the fewest sockets, and by the sockets with as many outstanding as most cases have.</summary>
    public IEnumerable<Plot> Plots()
    {
        var udp = all.Where(static one => !one.Case.IsTcp).ToArray();
        if (udp.Length == 0) { yield break; }
        var fewest = udp.Min(static one => one.Case.Sockets);
        var usual = udp.GroupBy(static one => one.Case.Outstanding).MaxBy(static group => group.Select(static one => one.Case.Sockets).Distinct().Count())!.Key;
        foreach (var (name, title, value) in Drawn)
        {
            yield return Draw(name, title, "requests outstanding", udp.Where(one => one.Case.Sockets == fewest), static one => one.Outstanding, value);
            yield return Draw($"{name}-sockets", title, "sockets", udp.Where(one => one.Case.Outstanding == usual), static one => one.Sockets, value);
        }
    }

    private static double RateOf(Measurement one) => one.Result.Rate;

    private static double CpuOf(Measurement one) => one.Result.ServerCpuPerMillion ?? double.NaN;

    private static double P99Of(Measurement one) => one.Result.Microseconds(0.99);

    private static double SwitchesOf(Measurement one) =>
        one.Result.Server is { } server && one.Result.Tally.Good > 0 ? (double)(server.After.Switches - server.Before.Switches) / one.Result.Tally.Good : 0;

    private static Runs Of(IEnumerable<Measurement> group, Func<Measurement, double> value) => new(group.Select(value));

    private static string Median(IEnumerable<Measurement> group, Func<Measurement, double> value) => Runs.Format(Of(group, value).Median);

    private static string Percent(IEnumerable<Measurement> group, Func<Measurement, double> value) =>
        Of(group, value).Median.ToString("0 %", CultureInfo.InvariantCulture);

    private static string Sum(IEnumerable<Measurement> group, Func<Measurement, long> value) => Whole(group.Sum(value));

    private static string Whole(long number) => number.ToString(CultureInfo.InvariantCulture);

    private static string Exact(double number) => number.ToString("0.###", CultureInfo.InvariantCulture);

    private static string Exact(double? number) => number is { } value ? Exact(value) : "";

    private static string Told(double? number) => number is { } value ? Runs.Format(value) : "";

    private double? ToEcho(IEnumerable<Measurement> group)
    {
        var ours = group.First();
        var echo = all.FirstOrDefault(run => run.Case == ours.Case && run.Peer.Short == Echo);
        return echo is null ? null : Against(ours.Case, ours.Peer, echo.Peer, RateOf).Median;
    }

    private Runs Against(Case one, Peer ours, Peer other, Func<Measurement, double> value) => new(
        from mine in all
        where mine.Case == one && mine.Peer == ours
        from theirs in all
        where theirs.Case == one && theirs.Peer == other && theirs.Round == mine.Round && value(theirs) > 0
        select value(mine) / value(theirs));

    // The same server with as many outstanding.
    private string CpuToFewSockets(IGrouping<(Case Case, Peer Peer), Measurement> group)
    {
        var few = all.Where(one => one.Peer == group.Key.Peer && one.Case == group.Key.Case with { Sockets = FewSockets }).ToArray();
        return group.Key.Case.IsTcp || few.Length == 0 ? "" : Runs.Format(Of(group, CpuOf).Median / Of(few, CpuOf).Median);
    }

    private static Plot Draw(string name, string title, string axis, IEnumerable<Measurement> runs, Func<Case, int> place, Func<Measurement, double> value)
    {
        var plot = new Plot(name, title, axis, title);
        foreach (var line in runs.GroupBy(static one => one.Peer))
        {
            plot.Line(line.Key.Short, line.GroupBy(one => place(one.Case)).Select(group => ((double)group.Key, Of(group, value).Median)));
        }

        return plot;
    }
}
