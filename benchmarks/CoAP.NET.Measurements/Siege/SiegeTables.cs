using System.Globalization;
using CoAP.Measurements.Reporting;
using CoAP.Measurements.Servers.Load;

namespace CoAP.Measurements.Siege;

/// <summary>The tables and the picture of a siege.</summary>
internal sealed class SiegeTables(IReadOnlyList<Prober> probers)
{
    private readonly Table _latencies = new(
        "latency", "attacker", "connections or datagrams", "others over", "quiet p50 µs", "attacked p50 µs", "p50 ratio", "quiet p99 µs", "attacked p99 µs", "p99 ratio", "asked");

    private readonly Table _left = new(
        "left-behind", "attacker", "descriptors", "threads", "live heap KiB", "connections", "requests", "refused", "malformed", "aborted", "handshakes failed", "exceptions");

    private readonly List<SiegeRun.Result> _results = [];

    public void Add(SiegeRun.Result result)
    {
        _results.Add(result);
        for (var at = 0; at < probers.Count; at++)
        {
            var (quiet, attacked) = (result.Quiet[at], result.Attacked[at]);
            string[] times = [.. new[] { 0.5, 0.99 }.SelectMany(share =>
            {
                var (without, with) = (Best(quiet, share), Best(attacked, share));
                return new[] { Runs.Format(without * 1000), Runs.Format(with * 1000), (with / without).ToString("0.00", CultureInfo.InvariantCulture) };
            })];
            _latencies.Add([result.Attack.Name, Text(result.Count), probers[at].Transport, .. times, $"{Text(quiet.Sum(static one => one.Count))} / {Text(attacked.Sum(static one => one.Count))}"]);
        }
        var (before, after) = (result.Before, result.After);
        _left.Add(
            result.Attack.Name,
            Change(before.Descriptors, after.Descriptors),
            Change(before.Threads, after.Threads),
            Change(before.Heap / 1024, after.Heap / 1024),
            Change(before.OpenConnections, after.OpenConnections),
            Change(before.ActiveRequests, after.ActiveRequests),
            Counted(result, "coap.connections.refused"),
            Counted(result, "coap.malformed"),
            Counted(result, "coap.connections.aborted"),
            Counted(result, "coap.handshakes.failed"),
            Counted(result, "exceptions"));
    }

    public void Print(Report report)
    {
        foreach (var result in _results) { report.Say($"  {result.Attack.Name,-10} {result.Attack.What}"); }
        report.Say("Percentiles are those of the best stretch of each kind: what else the machine does makes stretches longer, never shorter.");
        report.Add(_latencies);
        report.Add(_left);
        report.Say($"Requests of well-behaved clients that nobody answered: {probers.Sum(static prober => prober.Missing)}");
        var plot = new Plot("p99", "p99 of /hello with each attacker, in the order of the table", "attacker", "microseconds") { IsLogAcross = false };
        for (var at = 0; at < probers.Count; at++)
        {
            var prober = at;
            plot.Line($"{probers[at].Transport}, quiet", _results.Select((result, index) => (index + 1.0, Best(result.Quiet[prober], 0.99) * 1000)));
            plot.Line($"{probers[at].Transport}, attacked", _results.Select((result, index) => (index + 1.0, Best(result.Attacked[prober], 0.99) * 1000)));
        }
        report.Add(plot);
    }

    private static double Best(IEnumerable<Latencies> stretches, double share) => stretches.Min(one => one.Percentile(share));

    private static string Counted(SiegeRun.Result result, string counter) =>
        Text(result.After.Counters.GetValueOrDefault(counter) - result.Before.Counters.GetValueOrDefault(counter));

    private static string Change(long before, long after) => before == after ? $"{Text(before)} =" : $"{Text(before)} → {Text(after)}";

    private static string Text(long count) => count.ToString("N0", CultureInfo.InvariantCulture);
}
