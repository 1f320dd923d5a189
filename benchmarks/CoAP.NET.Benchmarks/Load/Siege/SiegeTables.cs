namespace CoAP.Benchmarks.Load;

/// <summary>The effect of one attacker on the server and its good clients.</summary>
internal sealed record SiegeResult(Attack Attack, Holding Before)
{
    /// <summary>The server's resources after the attacker has gone.</summary>
    public Holding After { get; set; } = Before;

    /// <summary>Connections or datagrams, in all stretches.</summary>
    public long Count { get; set; }

    /// <summary>The good clients over TCP and UDP without the attacker, for each stretch.</summary>
    public List<LoadResult[]> Quiet { get; } = [];

    /// <summary>The good clients under attack.</summary>
    public List<LoadResult[]> Attacked { get; } = [];
}

/// <summary>The tables of a siege.</summary>
internal sealed class SiegeTables
{
    private static readonly string[] Probes = ["TCP", "UDP"];

    private readonly Table _latencies = new(
        "latency", "attacker", "connections or datagrams", "others over", "quiet p50 us", "attacked p50 us", "p50 ratio", "quiet p99 us", "attacked p99 us", "p99 ratio", "answered");

    private readonly Table _left = new(
        "left-behind", "attacker", "descriptors", "threads", "live heap KiB", "connections", "requests", "refused", "malformed", "aborted", "handshakes failed", "exceptions");

    private readonly List<SiegeResult> _results = [];

    public void Add(SiegeResult result)
    {
        _results.Add(result);
        for (var probe = 0; probe < Probes.Length; probe++) { AddLatencies(result, probe); }
        var (before, after) = (result.Before, result.After);
        _left.Add(
            result.Attack.Name, Change(before.Descriptors, after.Descriptors), Change(before.Threads, after.Threads), Change(before.Heap / 1024, after.Heap / 1024),
            Change(Counter(before, "coap.connection.active"), Counter(after, "coap.connection.active")),
            Change(Counter(before, "coap.request.active"), Counter(after, "coap.request.active")),
            Counted(result, "coap.connection.refused"), Counted(result, "coap.malformed"), Counted(result, "coap.connection.aborted"),
            Counted(result, "coap.handshake.failed"), Counted(result, "exceptions"));
    }

    public void Print(Report report)
    {
        report.Say("");
        foreach (var result in _results) { report.Say($"  {result.Attack.Name,-10} {result.Attack.What}"); }
        report.Say("Percentiles are those of the best stretch: other work on the machine makes stretches slower, never faster.");
        report.Add(_latencies);
        report.Add(_left);
        var all = _results.SelectMany(static result => result.Quiet.Concat(result.Attacked)).SelectMany(static stretch => stretch).ToArray();
        var unanswered = all.Sum(static probe => probe.Failed + probe.Tally.Closed);
        report.Say($"Requests of good clients without an answer, and connections lost: {unanswered}");
        report.Fail(unanswered);
    }

    private void AddLatencies(SiegeResult result, int probe)
    {
        string[] times = [.. new[] { 0.5, 0.99 }.SelectMany(share =>
        {
            var (quiet, attacked) = (Best(result.Quiet, probe, share), Best(result.Attacked, probe, share));
            return new[] { Runs.Format(quiet), Runs.Format(attacked), (attacked / quiet).ToString("0.00", CultureInfo.InvariantCulture) };
        })];
        _latencies.Add([result.Attack.Name, $"{result.Count:N0}", Probes[probe], .. times, $"{Answered(result.Quiet, probe):N0} / {Answered(result.Attacked, probe):N0}"]);
    }

    private static double Best(List<LoadResult[]> stretches, int probe, double share) => stretches.Min(stretch => stretch[probe].Microseconds(share));

    private static long Answered(List<LoadResult[]> stretches, int probe) => stretches.Sum(stretch => stretch[probe].Tally.Good);

    private static long Counter(Holding holding, string name) => holding.Counters.GetValueOrDefault(name);

    private static string Counted(SiegeResult result, string name) => $"{Counter(result.After, name) - Counter(result.Before, name):N0}";

    private static string Change(long before, long after) => before == after ? $"{before:N0} =" : $"{before:N0} → {after:N0}";
}
