namespace CoAP.Benchmarks.Load;

/// <summary>The resident memory that an idle connection adds to a server without other work.</summary>
internal sealed class MemoryRuns(ServersPlan plan, Report report)
{
    /// <summary>The connections of each machine in the talk.</summary>
    private const double ConnectionsOfTheTalk = 500_000;

    private readonly Table _slopes = Table.OfRuns("memory-per-connection", "KiB", "service", "model", "500,000 connections, GiB");
    private readonly Chart _chart = new("memory", "Resident memory with idle connections", "idle connections", "MiB") { IsLogAcross = false, IsLogUp = false };

    public async Task RunAsync()
    {
        foreach (var form in ServerForm.Echoing)
        {
            var slopes = new List<double>();
            for (var run = 1; run <= plan.Repeats; run++) { slopes.Add(await MeasureAsync(form, run)); }
            var slope = new Runs(slopes);
            _slopes.Add([form.Service, form.Name, Runs.Format(slope.Median * ConnectionsOfTheTalk / (1 << 20))], slope);
        }
        report.Add(_slopes);
        report.Add(_chart);
    }

    private async Task<double> MeasureAsync(ServerForm form, int run)
    {
        var points = new List<(double Connections, double MiB)>();
        await using var server = await form.StartAsync();
        var held = new List<Load>();
        var count = 0;
        foreach (var connections in form.Within(plan.Idle))
        {
            // Each connection is served at least once.
            var load = new Load(ServerForm.Echo(server, connections - count) with { Limit = 2 * (connections - count) });
            report.Fail(load.Measure(TimeSpan.FromSeconds(30)).Failed);
            held.Add(load);
            count = connections;
            Thread.Sleep(plan.Settling);
            points.Add((connections, ProcessMemory.Resident($"{server.Id}") / (double)(1 << 20)));
        }
        held.ForEach(static load => load.Dispose());
        if (run == 1) { _chart.Add($"{form.Service}: {form.Name}", points, isDocument: form.Service == "bare"); }
        return Slope(points) * 1024;
    }

    // The slope of the best line. The memory without connections does not affect it.
    private static double Slope(List<(double X, double Y)> points)
    {
        var (x, y) = (points.Average(static point => point.X), points.Average(static point => point.Y));
        return points.Sum(point => (point.X - x) * (point.Y - y)) / points.Sum(point => (point.X - x) * (point.X - x));
    }
}
