using System.Globalization;
using CoAP.Measurements.Reporting;
using CoAP.Measurements.Serving;

namespace CoAP.Measurements.Transports;

/// <summary>One message of up to 1 GiB between two processes: what it costs the receiver and the sender in resident memory, besides the payload that the sender has.</summary>
internal static class SingleMessages
{
    private const int MiB = 1 << 20;
    private const int Small = 1000;

    public static async Task RunAsync(RunSettings settings, Report report, IEnumerable<TransportKind> kinds)
    {
        var table = new Table("single", "transport", "direction", "MiB", "receiver, of the payload", "receiver, MiB", "sender, of the payload", "sender, MiB", "ms");
        report.Say("One message: the peak of the resident set above what it was before, new processes for each row; the sender had its payload before.");
        int[] sizes = settings.Form.Choose<int[]>([1], [1, 100], [1, 100], [1, 100, 1024]);
        foreach (var kind in kinds.Where(kind => !kind.IsDatagram))
        {
            foreach (var size in sizes)
            {
                await MeasureAsync(table, kind, size, isUpload: true);
                await MeasureAsync(table, kind, size, isUpload: false);
            }
        }
        report.Add(table);
    }

    private static async Task MeasureAsync(Table table, TransportKind kind, int size, bool isUpload)
    {
        await using var server = await ServerProcess.StartAsync(core: null, "service=single");
        await using var client = await ServerProcess.StartAsync(core: null, "service=single", "root=" + server["certificate"]);
        var (sender, receiver) = isUpload ? (client, server) : (server, client);
        var question = $"{(isUpload ? "put" : "get")} {server[kind.Address]}";
        await sender.AskAsync($"make {Small}");
        await client.AskAsync(question);
        await sender.AskAsync($"make {size * MiB}");
        foreach (var party in new[] { sender, receiver }) { await party.AskAsync("mark"); }

        var answer = (await client.AskAsync(question)).Split(' ', 2);

        if (answer[1] != $"{(long)size * MiB}") { throw new InvalidOperationException($"{kind.Name}, {size} MiB: {answer[1]}"); }
        var costs = new List<string>();
        foreach (var party in new[] { receiver, sender })
        {
            var cost = double.Parse(await party.AskAsync("cost"), CultureInfo.InvariantCulture) / MiB;
            costs.Add((cost / size).ToString("0.000", CultureInfo.InvariantCulture));
            costs.Add(cost.ToString("0.0", CultureInfo.InvariantCulture));
        }
        table.Add(
            [kind.Name, isUpload ? "request" : "response", $"{size}", .. costs, double.Parse(answer[0], CultureInfo.InvariantCulture).ToString("0", CultureInfo.InvariantCulture)]);
    }
}
