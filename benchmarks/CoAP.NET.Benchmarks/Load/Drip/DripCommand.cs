using SampleServer;

namespace CoAP.Benchmarks.Load;

/// <summary>A message byte by byte over TCP, and large bodies in blocks over UDP, to a sync and to an async server that share one core.</summary>
internal static class DripCommand
{
    private static readonly long[] Bodies = [1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

    public static async Task<int> RunAsync(Arguments arguments)
    {
        var settings = RunSettings.Read("drip", arguments, "drip", "bodies");
        arguments.End();
        var report = new Report(settings, "A sync server against an async one: dripped messages, and bodies in blocks", DripTables.Document);
        report.Say($"Both servers run on core {Processors.Server} for all runs. The time limit for a message is lifted, and Max-Message-Size is 1 MiB.");
        await using var async = await ServerProcess.StartAsync("drip", ServerProcess.On(Processors.Server), "mode=async");
        await using var sync = await ServerProcess.StartAsync("drip", ServerProcess.On(Processors.Server), "mode=sync");
        // After the servers, which would inherit it.
        Processors.PinAll(Processors.Client);
        (string Name, ServerProcess Server)[] servers = [("async", async), ("sync", sync)];
        if (settings.Wants("drip")) { await DripAsync(settings, report, servers); }
        if (settings.Wants("bodies")) { await PutBodiesAsync(settings, report, servers); }
        Processors.PinAll();
        return report.ExitCode;
    }

    private static async Task DripAsync(RunSettings settings, Report report, (string Name, ServerProcess Server)[] servers)
    {
        var milliseconds = settings.Form.Choose(0.1, 2.5, 2.5, 250);
        var repeats = settings.Repeats ?? settings.Form.Choose(1, 5, 5, 5);
        report.Say($"A byte every {milliseconds} ms (the document: 250 ms), {repeats} repeats on both servers side by side.");
        var tables = new DripTables();
        var number = 0;
        await DripRun.RunAsync(servers, payload: 10, repeats, TimeSpan.FromMilliseconds(1), () => number++);    // compiles what is measured
        foreach (var payload in DripTables.Payloads)
        {
            tables.Add(payload, await DripRun.RunAsync(servers, payload, repeats, TimeSpan.FromMilliseconds(milliseconds), () => number++));
        }
        tables.Print(report);
    }

    // In blocks over UDP (RFC 7959), to a handler that blocks in its reads and to one that awaits them.
    private static async Task PutBodiesAsync(RunSettings settings, Report report, (string Name, ServerProcess Server)[] servers)
    {
        var results = Table.OfRuns("bodies", "ms", "server", "bytes");
        var chart = new Chart("bodies", "Bodies in blocks of 1,024 bytes over UDP (PUT)", "bytes", "milliseconds");
        foreach (var (name, server) in servers)
        {
            await using var client = new CoapClient(Limits.Client);
            var uri = $"coap://127.0.0.1:{server.PortOf("udp")}/body";
            (await client.UploadAsync(uri, new Pattern(Bodies[2]), ContentFormats.OctetStream)).EnsureSuccess();
            chart.Add(name, await Rows.Of(settings, report, full: 5).MeasureAsync(results, [name], Bodies.Select(static size => (size, "")), async size =>
            {
                (await client.UploadAsync(uri, new Pattern(size), ContentFormats.OctetStream)).EnsureSuccess();
                return [];
            }));
        }
        report.Add(results);
        report.Add(chart);
    }
}
