using System.Globalization;
using System.Net.Sockets;
using CoAP.Measurements.Reporting;
using CoAP.Measurements.Servers.Load;

namespace CoAP.Measurements.Servers;

/// <summary>The reverse echo: every connection asks again as soon as it was answered.</summary>
internal sealed class EchoRuns(Plan plan, Report report)
{
    private const int MostThreadsCounted = 2_000;
    private static readonly TimeSpan Attaching = TimeSpan.FromSeconds(0.4);

    private readonly Results _throughput = new("throughput", "requests/s", "service", "model", "connections");
    private readonly Results _median = new("latency-p50", "ms", "service", "model", "connections");
    private readonly Results _p99 = new("latency-p99", "ms", "service", "model", "connections");
    private readonly Table _cost = new(
        "cost", "service", "model", "connections", "CPU us/request", "of it socket engine", "cores used", "generator's cores", "system calls/request",
        "context switches/request", "threads", "p99.9 ms", "failed");

    private readonly Plot _plot = new("throughput", "Reverse echo, one request in flight on each connection", "connections", "requests/s") { IsLogUp = false };
    private readonly Plot _latency = new("latency", "Reverse echo, 99 % answered within", "connections", "ms");

    public async Task RunAsync()
    {
        foreach (var form in ServerForm.Echoing) { await RunAsync(form); }
        report.Add(_throughput);
        report.Add(_median);
        report.Add(_p99);
        report.Add(_cost);
        report.Add(_plot);
        report.Add(_latency);
    }

    private async Task RunAsync(ServerForm form)
    {
        var points = new List<(double Connections, double Rate, double P99)>();
        await using var server = await form.StartAsync();
        using var load = new LoadGenerator(form.Wire, int.Parse(server["tcp"], CultureInfo.InvariantCulture));
        load.Grow(1);
        EchoRun.Of(server.Id, form.Wire, load, plan.WarmUp);
        foreach (var connections in form.Within(plan.Connections))
        {
            string[] what = [form.Service, form.Name, connections.ToString("N0", CultureInfo.InvariantCulture)];
            try
            {
                load.Grow(connections);
            }
            catch (Exception failure) when (failure is InvalidOperationException or SocketException)
            {
                _throughput.AddFailure(what, failure.Message);
                break;
            }
            EchoRun.Of(server.Id, form.Wire, load, plan.WarmUp);
            var runs = Enumerable.Range(0, plan.Repeats).Select(_ => EchoRun.Of(server.Id, form.Wire, load, plan.Time)).ToList();
            Add(what, runs, CallsOf(server.Id, form, load));
            points.Add((connections, new Runs(runs.Select(static run => run.Rate)).Median, new Runs(runs.Select(static run => run.P99)).Median));
        }
        _plot.Line($"{form.Service}: {form.Name}", points.Select(static point => (point.Connections, point.Rate)), isDocument: form.Service == "line");
        _latency.Line($"{form.Service}: {form.Name}", points.Select(static point => (point.Connections, point.P99)), isDocument: form.Service == "line");
    }

    private void Add(string[] what, List<EchoRun> runs, double calls)
    {
        report.Fail(runs.Sum(static run => run.Failed));
        _throughput.Add(what, new Runs(runs.Select(static run => run.Rate)));
        _median.Add(what, new Runs(runs.Select(static run => run.Median)));
        _p99.Add(what, new Runs(runs.Select(static run => run.P99)));
        _cost.Add(
        [
            .. what, Middle(static run => run.Cpu), Middle(static run => run.EngineCpu), Middle(static run => run.Cores), Middle(static run => run.GeneratorCores),
            double.IsNaN(calls) ? "not counted" : Runs.Format(calls), Middle(static run => run.Switches), Middle(static run => run.Threads),
            Middle(static run => run.P999), runs.Sum(static run => run.Failed).ToString(CultureInfo.InvariantCulture),
        ]);

        string Middle(Func<EchoRun, double> value) => Runs.Format(new Runs(runs.Select(value)).Median);
    }

    // In a run of its own: counting is not free. "perf" opens a counter for each thread.
    private double CallsOf(int process, ServerForm form, LoadGenerator load)
    {
        if (ProcessUsage.Of(process).Threads > MostThreadsCounted) { return double.NaN; }
        using var calls = SystemCalls.Begin(process);
        if (calls is null) { return double.NaN; }
        Thread.Sleep(Attaching);
        var run = EchoRun.Of(process, form.Wire, load, plan.WarmUp);
        return calls.End() / run.Requests;
    }
}
