using System.Globalization;
using CoAP.Measurements.Reporting;

namespace CoAP.Measurements.Drip;

/// <summary>The tables and the picture of the dripped messages.</summary>
internal sealed class DripTables
{
    private readonly Results _whole = new("whole", "s", "server", "payload", "message bytes");
    private readonly Results _last = new("last-byte", "µs", "server", "payload");
    private readonly Results _cpu = new("cpu", "ms a message", "server", "payload");
    private readonly Table _differences = new(
        "differences", "payload", "document: async - sync (ms)", "ours, median of pairs (ms)", "ours, every pair (ms)", "spread of one server's own runs (ms)", "exceeds it");

    private readonly List<(int Payload, DripResult Result)> _all = [];

    public void Add(int payload, IReadOnlyList<DripResult> results)
    {
        var (async, sync) = CaseStudy.Seconds[payload];
        foreach (var result in results)
        {
            var document = result.Server == "sync" ? sync : async;
            _whole.Add([result.Server, Text(payload), Text(result.Length)], result.Whole, document.ToString("N2", CultureInfo.InvariantCulture));
            _last.Add([result.Server, Text(payload)], result.Last);
            _cpu.Add([result.Server, Text(payload)], new Runs([result.Cpu]));
            _all.Add((payload, result));
        }
        var pairs = new Runs(results[0].Whole.Values.Zip(results[1].Whole.Values, (first, second) => (first - second) * 1000));
        var spread = results.Max(result => result.Whole.Most - result.Whole.Least) * 1000;
        var verdict = Math.Abs(pairs.Median) > spread ? "yes" : "no";
        _differences.Add(Text(payload), Text((int)Math.Round((async - sync) * 1000)), Runs.Format(pairs.Median), pairs.All, Runs.Format(spread), verdict);
    }

    public void Print(Report report, bool isFull)
    {
        report.Add(_whole);
        if (!isFull) { report.Say("(The document drips a byte every 250 ms; its seconds stand here for comparison with --full.)"); }
        report.Add(_last);
        report.Add(_cpu);
        report.Add(_differences);
        var pairs = string.Join(", ", CaseStudy.Differences.Select(Runs.Format));
        report.Say($"The document's five pairs with 100 bytes differ by {pairs} ms: its 100 ms are one run of five, far inside the spread of its runs of 394 ms (async) and 890 ms (sync).");
        var plot = new Plot("last-byte", "Dripped messages: last byte sent to message deserialized", "bytes of payload", "microseconds");
        foreach (var server in _all.GroupBy(one => one.Result.Server))
        {
            plot.Line(server.Key + ", median", server.Select(one => ((double)one.Payload, one.Result.Last.Median)));
            plot.Line(server.Key + ", most", server.Select(one => ((double)one.Payload, one.Result.Last.Most)));
        }
        report.Add(plot);
    }

    private static string Text(int count) => count.ToString("N0", CultureInfo.InvariantCulture);
}
