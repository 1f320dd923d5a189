using System.Globalization;
using CoAP.Measurements.Machines;
using CoAP.Measurements.Reporting;
using CoAP.Measurements.Serving;

namespace CoAP.Measurements.Drip;

/// <summary>A message byte by byte over TCP, and large bodies in blocks over UDP, to a sync and to an async server on one core.</summary>
internal static class DripCommand
{
    private const int ServerCore = 0;
    private static readonly TimeSpan FullInterval = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan QuickInterval = TimeSpan.FromMilliseconds(2.5);
    private static readonly TimeSpan DryInterval = TimeSpan.FromMilliseconds(0.1);

    public static async Task<int> RunAsync(RunSettings settings)
    {
        var report = new Report(settings, "Dripped messages, and bodies in blocks: a sync server against an async one", CaseStudy.Title);
        report.Say($"Both servers run on core {ServerCore}; the same server process for all runs; the time per message is lifted and Max-Message-Size is 1 MiB.");
        await using var async = await ServerProcess.StartAsync(ServerCore, "service=drip", "mode=async");
        await using var sync = await ServerProcess.StartAsync(ServerCore, "service=drip", "mode=sync");
        // The servers were started before, so that they do not inherit it.
        Cores.Leave(ServerCore);
        (string Name, ServerProcess Server)[] servers = [("async", async), ("sync", sync)];
        if (settings.Wants("drip")) { await DripAsync(settings, report, servers); }
        if (settings.Wants("bodies")) { await BodiesMeasurement.RunAsync(settings, report, servers); }
        return report.ExitCode;
    }

    private static async Task DripAsync(RunSettings settings, Report report, (string Name, ServerProcess Server)[] servers)
    {
        var interval = settings.Form.Choose(DryInterval, QuickInterval, QuickInterval, FullInterval);
        var repeats = settings.Repeats ?? (settings.Form == RunForm.Dry ? 1 : 5);
        report.Say($"A byte every {interval.TotalMilliseconds.ToString(CultureInfo.InvariantCulture)} ms, {repeats} repeats on {servers.Length} servers side by side.");
        var tables = new DripTables();
        var number = 0;
        await DripRun.RunAsync(servers, payload: 10, repeats, TimeSpan.FromMilliseconds(1), () => number++);    // compiles what is measured
        foreach (var payload in CaseStudy.Seconds.Keys)
        {
            tables.Add(payload, await DripRun.RunAsync(servers, payload, repeats, interval, () => number++));
        }
        tables.Print(report, settings.Form == RunForm.Full);
    }
}
