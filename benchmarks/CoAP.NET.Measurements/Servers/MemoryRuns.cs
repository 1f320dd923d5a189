using System.Globalization;
using System.Net.Sockets;
using CoAP.Measurements.Reporting;
using CoAP.Measurements.Servers.Load;

namespace CoAP.Measurements.Servers;

/// <summary>What an idle connection adds to the resident set of a server that does nothing else.</summary>
internal sealed class MemoryRuns(Plan plan, Report report)
{
    /// <summary>The connections of each machine in the talk.</summary>
    private const double TalksConnections = 500_000;

    private static readonly TimeSpan Settling = TimeSpan.FromSeconds(0.5);

    private readonly Table _points = new("memory", "service", "model", "idle connections", "run", "resident set MiB");
    private readonly Results _slopes = new("memory-per-connection", "KiB", "service", "model");
    private readonly Table _projected = new("memory-projected", "service", "model", "KiB/connection", "500,000 connections, GiB");
    private readonly Plot _plot = new("memory", "Resident set with idle connections", "idle connections", "MiB") { IsLogAcross = false };

    public async Task RunAsync()
    {
        foreach (var form in ServerForm.Echoing)
        {
            var slopes = new List<double>();
            for (int run = 1; run <= plan.Repeats; run++) { slopes.Add(await MeasureAsync(form, run)); }
            var slope = new Runs(slopes);
            _slopes.Add([form.Service, form.Name], slope);
            _projected.Add(form.Service, form.Name, Runs.Format(slope.Median), Runs.Format(slope.Median * TalksConnections / (1 << 20)));
        }
        report.Add(_points);
        report.Add(_slopes);
        report.Add(_projected);
        report.Add(_plot);
    }

    private async Task<double> MeasureAsync(ServerForm form, int run)
    {
        var points = new List<(double Connections, double MiB)>();
        await using var server = await form.StartAsync();
        using var load = new LoadGenerator(form.Wire, int.Parse(server["tcp"], CultureInfo.InvariantCulture));
        foreach (var connections in form.Within(plan.Idle))
        {
            try { load.Grow(connections); }
            catch (Exception failure) when (failure is InvalidOperationException or SocketException)
            {
                report.Fail(1);
                report.Say($"{form.Service}, {form.Name}: no {connections} connections. {failure.Message}");
                break;
            }
            Thread.Sleep(Settling);
            var size = ProcessUsage.ResidentSetOf(server.Id) / (double)(1 << 20);
            points.Add((connections, size));
            _points.Add(form.Service, form.Name, connections.ToString(CultureInfo.InvariantCulture), run.ToString(CultureInfo.InvariantCulture), Runs.Format(size));
        }
        if (run == 1) { _plot.Line($"{form.Service}: {form.Name}", points, isDocument: form.Service == "line"); }
        return Slope(points) * 1024;
    }

    // The line that fits best; what the process has without any connection does not matter to it.
    private static double Slope(List<(double X, double Y)> points)
    {
        var (x, y) = (points.Average(static point => point.X), points.Average(static point => point.Y));
        return points.Sum(point => (point.X - x) * (point.Y - y)) / points.Sum(point => (point.X - x) * (point.X - x));
    }
}
