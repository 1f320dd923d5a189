using System.Globalization;
using CoAP.Measurements.Reporting;
using CoAP.Measurements.Serving;

namespace CoAP.Measurements.Transports;

/// <summary>Many clients, many small packets and large bodies, over each transport.</summary>
internal static class TransportsCommand
{
    private const int Outstanding = 64;
    private const long Megabyte = 1_000_000;

    public static async Task<int> RunAsync(RunSettings settings)
    {
        var report = new Report(settings, "Transports compared", Document.Title);
        report.Say("Client and server are a process each on the loopback address; times in ms include opening the connections in \"clients\" only.");
        report.Say($"Pipelined means {Outstanding} outstanding (NSTART {Outstanding} over UDP). Message IDs are used again early. Bodies over 1 GiB go in parts (RFC 7959, section 2.2).");
        if (settings.Wants("single")) { await SingleMessages.RunAsync(settings, report, Kinds(settings)); }
        if (settings.Only is ["single"]) { return 0; }
        await using var server = await ServerProcess.StartAsync(core: null, "service=transports");
        foreach (var kind in Kinds(settings)) { await WarmUpAsync(kind, server); }
        if (settings.Wants("clients")) { await ClientsAsync(settings, report, server); }
        if (settings.Wants("first")) { await FirstAsync(settings, report, server); }
        if (settings.Wants("packets")) { await PacketsAsync(settings, report, server); }
        if (settings.Wants("downloads")) { await DownloadsAsync(settings, report, server); }
        return report.ExitCode;
    }

    private static IEnumerable<TransportKind> Kinds(RunSettings settings) => settings.Values.TryGetValue("over", out var names)
        ? TransportKind.All.Where(kind => names.Split(',').Contains(kind.Name))
        : TransportKind.All;

    private static async Task WarmUpAsync(TransportKind kind, ServerProcess server)
    {
        await using var client = await kind.OpenAsync(server);
        for (var i = 0; i < 300; i++) { await client.EchoAsync(); }
        await client.DownloadAsync(Megabyte, kind.IsRobust);
    }

    private static async Task ClientsAsync(RunSettings settings, Report report, ServerProcess server)
    {
        var results = new Results("clients", "ms", "transport", "clients, 1 MB each");
        var plot = new Plot("clients", "N clients fetch 1 MB each, at the same time", "clients", "milliseconds until all have it");
        foreach (var kind in Kinds(settings))
        {
            var medians = await Cell.Of(settings, full: 10).MeasureAsync(
                results, Document.Clients.Keys, count => [kind.Name, Text(count)], count => Document.Both(Document.Clients[count]),
                (count, leftovers) => Task.WhenAll(Enumerable.Range(0, (int)count).Select(_ => Task.Run(() => FetchAloneAsync(kind, server, leftovers)))));
            plot.Line(kind.Name, medians);
        }
        Finish(report, results, plot, Document.Clients);
    }

    private static async Task FetchAloneAsync(TransportKind kind, ServerProcess server, Leftovers leftovers)
    {
        var client = await kind.OpenAsync(server);
        leftovers.Add(client);
        await client.DownloadAsync(Megabyte, kind.IsRobust);
    }

    // What a client pays that comes for one packet: its own start, the connection, its handshakes and capabilities.
    private static async Task FirstAsync(RunSettings settings, Report report, ServerProcess server)
    {
        var results = new Results("first", "ms", "transport", "packets with a new client");
        foreach (var kind in Kinds(settings).Where(kind => !kind.IsRobust))
        {
            await Cell.Of(settings, full: 100).MeasureAsync(results, [1], _ => [kind.Name, "1"], _ => "", async (_, leftovers) =>
            {
                var client = await kind.OpenAsync(server);
                leftovers.Add(client);
                await client.EchoAsync();
            });
        }
        report.Add(results);
    }

    private static async Task PacketsAsync(RunSettings settings, Report report, ServerProcess server)
    {
        var results = new Results("packets", "ms", "transport", "form", "packets");
        var rates = new Table("packet-rates", "transport", "one after another, messages/s", "pipelined, messages/s");
        var plot = new Plot("packets", "Small packets to and fro on one connection", "packets", "milliseconds");
        foreach (var kind in Kinds(settings).Where(kind => !kind.IsRobust))
        {
            await using var client = await kind.OpenAsync(server, Outstanding);
            var name = kind.IsDatagram ? "UDP" : kind.Name;
            var row = new List<string> { name };
            foreach (var (form, width) in new[] { ("one after another", 1), ("pipelined", Outstanding) })
            {
                var medians = await Cell.Of(settings, full: 100).MeasureAsync(
                    results, Document.Packets.Keys, count => [name, form, Text(count)], count => Document.Both(Document.Packets[count]),
                    (count, _) => EchoAsync(client, (int)count, width));
                plot.Line($"{name}, {(width == 1 ? "one by one" : form)}", medians);
                row.Add(medians.Count == 0 ? "failed" : (medians[^1].Size / medians[^1].Median * 1000).ToString("N0", CultureInfo.InvariantCulture));
            }
            rates.Add([.. row]);
        }
        Finish(report, results, plot, Document.Packets);
        report.Add(rates);
    }

    private static Task EchoAsync(TransportClient client, int count, int width)
    {
        var left = count;
        return Task.WhenAll(Enumerable.Range(0, Math.Min(width, count)).Select(_ => RepeatAsync()));

        async Task RepeatAsync()
        {
            while (Interlocked.Decrement(ref left) >= 0) { await client.EchoAsync(); }
        }
    }

    private static async Task DownloadsAsync(RunSettings settings, Report report, ServerProcess server)
    {
        var results = new Results("downloads", "ms", "transport", "bytes");
        var plot = new Plot("downloads", "One client downloads one body", "bytes", "milliseconds");
        foreach (var kind in Kinds(settings))
        {
            await using var client = await kind.OpenAsync(server);
            await client.EchoAsync();
            var medians = await Cell.Of(settings, full: 101).MeasureAsync(
                results, Document.Downloads.Keys, size => [kind.Name, Text(size)], size => Document.Both(Document.Downloads[size]),
                (size, _) => client.DownloadAsync(size, kind.IsRobust));
            plot.Line(kind.Name, medians);
        }
        Finish(report, results, plot, Document.Downloads);
    }

    private static void Finish(Report report, Results results, Plot plot, IReadOnlyDictionary<long, (double? WebSocket, double? WebTransport)> document)
    {
        string[] labels = results.Name == "packets" ? [TransportKind.Later, "", ""] : [TransportKind.Later, ""];
        results.AddRemark(labels, "later");
        plot.Line("document, WebSocket", Known(document, figures => figures.WebSocket), isDocument: true);
        plot.Line("document, WebTransport", Known(document, figures => figures.WebTransport), isDocument: true);
        report.Add(results);
        report.Add(plot);
    }

    private static IEnumerable<(double X, double Y)> Known(
        IReadOnlyDictionary<long, (double? WebSocket, double? WebTransport)> document, Func<(double? WebSocket, double? WebTransport), double?> pick) =>
        from figure in document
        let value = pick(figure.Value)
        where value is not null
        select ((double)figure.Key, value.Value);

    private static string Text(long count) => count.ToString("N0", CultureInfo.InvariantCulture);
}
