namespace CoAP.Benchmarks.Load;

/// <summary>One line for each attack on each server, and what in it exceeds the goal.</summary>
internal sealed class AttacksTable
{
    /// <summary>The goal: the 99th percentile of honest peers is at most this much above that of the control, in milliseconds.</summary>
    public const double MostAbove = 20;

    private const string Times = "p99 - control = above, ms";

    private readonly Table _table = new(
        "attacks", "attack", "pace", "server", "sent a second", "UDP served / lost", $"UDP {Times}", "TCP served / lost", $"TCP {Times}",
        "what it threatens, served / lost", $"its {Times}", "most resident MiB", "longest pause ms", "held later", "beyond the goal", "remark");

    public void Add(AttackRun run, double rate, IReadOnlyList<ComparedPeer> peers, string resident, string pause, string held, string remark)
    {
        string[] threatened = run.Attack.Errand is { } errand
            ? [$"{errand.Name}: {string.Join(", ", peers.Skip(2).Select(static peer => peer.Counts))}", string.Join(", ", peers.Skip(2).Select(static peer => peer.Times))]
            : ["", ""];
        _table.Add(
        [
            run.Attack.Name, $"{run.Pace}".ToLowerInvariant(), run.Server, $"{rate:N0}", peers[0].Counts, peers[0].Times, peers[1].Counts, peers[1].Times,
            .. threatened, resident, pause, held, Beyond(peers, held), remark,
        ]);
    }

    public void Print(Report report) => report.Add(_table);

    /// <summary>Returns what exceeds the goal; "" if nothing does.</summary>
    public static string Beyond(IReadOnlyList<ComparedPeer> peers, string held)
    {
        var (above, lost) = (peers.Max(static peer => peer.Above), peers.Sum(static peer => peer.Lost));
        string[] all = [above > MostAbove ? $"{above:0} ms" : "", lost > 0 ? $"{lost} lost" : "", held is "nothing" or "unknown" ? "" : "held"];
        return string.Join(", ", all.Where(static one => one.Length > 0));
    }
}
