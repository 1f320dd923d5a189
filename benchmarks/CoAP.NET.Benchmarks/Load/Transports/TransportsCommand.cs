namespace CoAP.Benchmarks.Load;

/// <summary>Many clients, many small packets and large bodies, over each transport.</summary>
internal sealed class TransportsCommand(RunSettings settings, Report report, IReadOnlyList<TransportKind> kinds, ServerProcess server)
{
    private const int Outstanding = 64;
    private const long Megabyte = 1_000_000;

    // "WebSockets vs. WebTransport" (2022), milliseconds.
    private static readonly (long Size, double? WebSocket, double? WebTransport)[] Clients =
        [(1, 449, 514), (10, 1_314, 4_733), (64, 6_842, 29_636), (100, 10_562, null), (250, 25_551, null), (500, null, null)];

    private static readonly (long Size, double? WebSocket, double? WebTransport)[] Packets =
        [(1, 12, 11), (10, 117, 31), (100, 1_094, 115), (1_000, 11_341, 487), (10_000, 114_392, 2_280)];

    private static readonly (long Size, double? WebSocket, double? WebTransport)[] Downloads =
        [(1_000, 12, 12), (Megabyte, 124, 104), (10 * Megabyte, 1_115, 905), (100 * Megabyte, 1_537, 9_420), (1_000 * Megabyte, 10_264, 95_299), (2_000 * Megabyte, null, null)];

    public static async Task<int> RunAsync(Arguments arguments)
    {
        var settings = RunSettings.Read("transports", arguments, "clients", "packets", "downloads");
        var names = arguments.Names("--over", [.. TransportKind.All.Select(static kind => kind.Name)]);
        arguments.End();
        const string Document = "\"WebSockets vs. WebTransport\" (2022): a browser against Python servers; its WebSocket client sent packets one at a time, ";
        var report = new Report(settings, "Transports compared", Document + "its WebTransport client in parallel");
        report.Say("Client and server are a process each on the loopback address. Only the times of \"clients\" include the opening of connections.");
        report.Say($"Pipelined means {Outstanding} outstanding (NSTART {Outstanding} over UDP). Message IDs are reused early. Bodies over 1 GiB go in parts (RFC 7959, section 2.2).");
        TransportKind[] kinds = [.. TransportKind.All.Where(kind => names is null || names.Contains(kind.Name))];
        await using var server = await ServerProcess.StartAsync("transports", []);
        await new TransportsCommand(settings, report, kinds, server).RunAsync();
        return report.ExitCode;
    }

    private async Task RunAsync()
    {
        foreach (var kind in kinds)
        {
            await using var client = await kind.OpenAsync(server);
            for (var at = 0; at < settings.Form.Choose(10, 300, 300, 300); at++) { await client.EchoAsync(); }
            await client.DownloadAsync(Megabyte, kind.IsRobust);
        }
        if (settings.Wants("clients")) { await ClientsAsync(); }
        if (settings.Wants("packets")) { await PacketsAsync(); }
        if (settings.Wants("downloads")) { await DownloadsAsync(); }
    }

    private async Task ClientsAsync()
    {
        var results = Table.OfRuns("clients", "ms", "transport", "clients, 1 MB each");
        var chart = new Chart("clients", "N clients fetch 1 MB each, at the same time", "clients", "milliseconds until all have it");
        foreach (var kind in kinds)
        {
            chart.Add(kind.Name, await Rows.Of(settings, report, full: 10).MeasureAsync(
                results, [kind.Name], Clients.Select(Both), async count => await Task.WhenAll(Enumerable.Range(0, (int)count).Select(_ => Task.Run(() => FetchAloneAsync(kind))))));
        }
        Finish(results, chart, Clients);
    }

    private async Task<IAsyncDisposable> FetchAloneAsync(TransportKind kind)
    {
        var client = await kind.OpenAsync(server);
        await client.DownloadAsync(Megabyte, kind.IsRobust);
        return client;
    }

    private async Task PacketsAsync()
    {
        var results = Table.OfRuns("packets", "ms", "transport", "form", "packets");
        var chart = new Chart("packets", "Small packets to and fro on one connection", "packets", "milliseconds");
        foreach (var kind in kinds.Where(static kind => !kind.IsRobust))
        {
            await using var client = await kind.OpenAsync(server, Outstanding);
            var name = kind.IsDatagram ? "UDP" : kind.Name;
            foreach (var (form, width) in new[] { ("one after another", 1), ("pipelined", Outstanding) })
            {
                chart.Add($"{name}, {form}", await Rows.Of(settings, report, full: 100).MeasureAsync(
                    results, [name, form], Packets.Select(Both), count => EchoAsync(client, (int)count, width)));
            }
        }
        Finish(results, chart, Packets);
    }

    private static async Task<IReadOnlyList<IAsyncDisposable>> EchoAsync(TransportClient client, int count, int width)
    {
        var left = count;
        await Task.WhenAll(Enumerable.Range(0, Math.Min(width, count)).Select(_ => RepeatAsync()));
        return [];

        async Task RepeatAsync()
        {
            while (Interlocked.Decrement(ref left) >= 0) { await client.EchoAsync(); }
        }
    }

    private async Task DownloadsAsync()
    {
        var results = Table.OfRuns("downloads", "ms", "transport", "bytes");
        var chart = new Chart("downloads", "One client downloads one body", "bytes", "milliseconds");
        foreach (var kind in kinds)
        {
            await using var client = await kind.OpenAsync(server);
            await client.EchoAsync();
            chart.Add(kind.Name, await Rows.Of(settings, report, full: 101).MeasureAsync(results, [kind.Name], Downloads.Select(Both), async size =>
            {
                await client.DownloadAsync(size, kind.IsRobust);
                return [];
            }));
        }
        Finish(results, chart, Downloads);
    }

    private void Finish(Table results, Chart chart, (long Size, double? WebSocket, double? WebTransport)[] document)
    {
        chart.Add("document, WebSocket", document.Select(static row => ((double)row.Size, row.WebSocket ?? double.NaN)), isDocument: true);
        chart.Add("document, WebTransport", document.Select(static row => ((double)row.Size, row.WebTransport ?? double.NaN)), isDocument: true);
        report.Add(results);
        report.Add(chart);
    }

    private static (long Size, string Document) Both((long Size, double? WebSocket, double? WebTransport) row)
    {
        return (row.Size, $"WS {Text(row.WebSocket)}, WT {Text(row.WebTransport)}");
        static string Text(double? figure) => figure?.ToString("N0", CultureInfo.InvariantCulture) ?? "fails";
    }
}
