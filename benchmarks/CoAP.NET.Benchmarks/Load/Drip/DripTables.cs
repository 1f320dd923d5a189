namespace CoAP.Benchmarks.Load;

/// <summary>The tables of dripped messages.</summary>
internal sealed class DripTables
{
    public const string Document = "\"A case study on CoAP.NET\" (2022), first measurement: Windows, Ryzen 5 2600, four bytes a second";

    // The document's means of five runs, in seconds.
    private static readonly Dictionary<int, (double Async, double Sync)> Seconds = new()
    {
        [100] = (105.71, 105.61),
        [1_000] = (341.01, 341.00),
        [10_000] = (2_688.88, 2_688.95),
    };

    private readonly Table _whole = Table.OfRuns("whole", "s", "server", "payload", "message bytes");
    private readonly Table _last = new("last-byte", "server", "payload", "last byte to deserialized, median (us)", "most (us)", "CPU ms a message");
    private readonly Table _differences = new(
        "differences", "payload", "document: async - sync (ms)", "ours, median of pairs (ms)", "ours, every pair (ms)", "spread of one server's own runs (ms)", "exceeds it");

    public static IEnumerable<int> Payloads => Seconds.Keys;

    public void Add(int payload, IReadOnlyList<DripResult> results)
    {
        var (async, sync) = Seconds[payload];
        foreach (var result in results)
        {
            _whole.Add([result.Server, $"{payload:N0}", $"{result.Length:N0}"], result.Whole, Runs.Format(result.Server == "sync" ? sync : async));
            _last.Add(result.Server, $"{payload:N0}", Runs.Format(result.Last.Median), Runs.Format(result.Last.Most), Runs.Format(result.Cpu));
        }
        var pairs = new Runs(results[0].Whole.Values.Zip(results[1].Whole.Values, static (first, second) => (first - second) * 1000));
        var spread = results.Max(static result => result.Whole.Most - result.Whole.Least) * 1000;
        _differences.Add($"{payload:N0}", $"{(async - sync) * 1000:0}", Runs.Format(pairs.Median), pairs.All, Runs.Format(spread), Math.Abs(pairs.Median) > spread ? "yes" : "no");
    }

    public void Print(Report report)
    {
        report.Add(_whole);
        report.Add(_last);
        report.Add(_differences);
        report.Say("");
        report.Say("The document's five pairs with 100 bytes differ by 496.5, 0.6, 1.6, 0.5 and -1.1 ms. Its 100 ms are one run of five, far inside the spread of its runs, ");
        report.Say("394 ms (async) and 890 ms (sync).");
    }
}
