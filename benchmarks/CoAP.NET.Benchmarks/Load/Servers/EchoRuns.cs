namespace CoAP.Benchmarks.Load;

/// <summary>The reverse echo: every connection sends its next request when it has an answer.</summary>
internal sealed class EchoRuns(ServersPlan plan, Report report)
{
    private const int MostThreadsCounted = 2_000;
    private const string SocketEngine = ".NET Sockets";

    private static readonly TimeSpan Attaching = TimeSpan.FromSeconds(0.4);

    private readonly Table _table = new(
        "echo", "service", "model", "connections", "requests/s", "p50 ms", "p99 ms", "p99.9 ms", "CPU us/request", "of it socket engine", "cores used", "generator's cores",
        "system calls/request", "context switches/request", "threads", "failed");

    private readonly Chart _rates = new("throughput", "Reverse echo, one request in flight on each connection", "connections", "requests/s") { IsLogUp = false };
    private readonly Chart _latency = new("latency", "Reverse echo, 99 % answered within", "connections", "ms");

    public async Task RunAsync()
    {
        foreach (var form in ServerForm.Echoing) { await RunAsync(form); }
        report.Add(_table);
        report.Add(_rates);
        report.Add(_latency);
    }

    private async Task RunAsync(ServerForm form)
    {
        var points = new List<(double Connections, double Rate, double P99)>();
        await using var server = await form.StartAsync();
        foreach (var connections in form.Within(plan.Connections))
        {
            using var load = new Load(ServerForm.Echo(server, connections));
            load.WarmUp(plan.WarmUp);
            LoadResult[] runs = [.. Enumerable.Range(0, plan.Repeats).Select(_ => load.Measure(plan.Time))];
            Add([form.Service, form.Name, $"{connections:N0}"], runs, CallsOf(server, load));
            points.Add((connections, Median(runs, static run => run.Rate), Median(runs, static run => run.Microseconds(0.99) / 1000)));
        }
        _rates.Add($"{form.Service}: {form.Name}", points.Select(static point => (point.Connections, point.Rate)), isDocument: form.Service == "bare");
        _latency.Add($"{form.Service}: {form.Name}", points.Select(static point => (point.Connections, point.P99)), isDocument: form.Service == "bare");
    }

    private void Add(string[] what, LoadResult[] runs, double calls)
    {
        var failed = runs.Sum(static run => run.Failed + run.Tally.Closed);
        report.Fail(failed);
        _table.Add(
        [
            .. what, Text(static run => run.Rate), Text(static run => run.Microseconds(0.5) / 1000), Text(static run => run.Microseconds(0.99) / 1000),
            Text(static run => run.Microseconds(0.999) / 1000), Text(static run => run.CpuPerAnswer), Text(EngineCpu), Text(static run => run.ServerShare),
            Text(static run => run.GeneratorShare), Runs.Format(calls), Text(static run => run.SwitchesPerAnswer), Text(static run => run.Server!.Value.After.Threads), $"{failed}",
        ]);
        string Text(Func<LoadResult, double> value) => Runs.Format(Median(runs, value));
    }

    private static double EngineCpu(LoadResult run) =>
        run.Server is { } server ? server.After.CpuSince(server.Before, SocketEngine).TotalMicroseconds / run.Tally.Good : double.NaN;

    private static double Median(LoadResult[] runs, Func<LoadResult, double> value) => new Runs(runs.Select(value)).Median;

    // In a separate run, because "perf" opens a counter for each thread. NaN if the calls cannot be counted.
    private double CallsOf(ServerProcess server, Load load)
    {
        if (ProcessUsage.Of(server.Id).Threads > MostThreadsCounted) { return double.NaN; }
        using var calls = SystemCallCounter.Begin(server.Id);
        if (calls is null) { return double.NaN; }
        Thread.Sleep(Attaching);
        var run = load.Measure(plan.WarmUp);
        return calls.End() / run.Tally.Good;
    }
}
