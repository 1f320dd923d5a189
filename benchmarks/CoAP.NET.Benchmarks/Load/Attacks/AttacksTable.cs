namespace CoAP.Benchmarks.Load;

/// <summary>One line for each attack on each server.</summary>
internal sealed class AttacksTable
{
    private readonly Table _table = new(
        "attacks", "attack", "server", "sent a second", "UDP served / lost", "UDP p50 / p99 ms", "TCP served / lost", "TCP p50 / p99 ms",
        "what it threatens, served / lost", "its p50 / p99 ms", "most resident MiB", "held 10 s later", "remark");

    public void Add(LedgerAttack attack, string server, double rate, IReadOnlyList<HonestPeer> peers, string resident, string held, string remark)
    {
        string[] threatened = attack.Errand is { } errand
            ? [$"{errand.Name}: {string.Join(", ", peers.Skip(2).Select(Counts))}", string.Join(", ", peers.Skip(2).Select(Times))]
            : ["", ""];
        _table.Add(
        [
            attack.Name, server, $"{rate:N0}", Counts(peers[0]), Times(peers[0]), Counts(peers[1]), Times(peers[1]), .. threatened, resident, held, remark,
        ]);
    }

    public void Print(Report report) => report.Add(_table);

    private static string Counts(HonestPeer peer) => $"{peer.Served} / {peer.Lost}";

    private static string Times(HonestPeer peer) => peer.Served == 0 ? "-"
        : string.Create(CultureInfo.InvariantCulture, $"{peer.Milliseconds(0.5):0.0} / {peer.Milliseconds(0.99):0.0}");
}
