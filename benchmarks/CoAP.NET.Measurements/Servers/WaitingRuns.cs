using System.Globalization;
using CoAP.Measurements.Reporting;
using CoAP.Measurements.Servers.Hosting;
using CoAP.Measurements.Servers.Load;

namespace CoAP.Measurements.Servers;

/// <summary>Handlers that wait, compute or block, and what becomes of a quick resource beside them.</summary>
internal sealed class WaitingRuns(Plan plan, Report report)
{
    private const int Askers = 64;
    private const int Greeters = 8;
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(10);

    private readonly Results _throughput = new("waiting-throughput", "requests/s", "handler", "model");
    private readonly Results _p99 = new("waiting-p99", "ms", "handler", "model");
    private readonly Results _hello = new("waiting-hello-p99", "ms", "handler", "model");
    private readonly Table _failed = new("waiting-failed", "handler", "model", "answers", "errors", "unanswered", "CPU us/request");

    public async Task RunAsync()
    {
        foreach (var handler in plan.Handlers.Prepend("nothing"))
        {
            foreach (var form in ServerForm.Waiting) { await RunAsync(handler, form); }
        }
        report.Say("");
        report.Say($"{Askers} connections ask for the handler without a pause, {Greeters} others for /hello every {Pause.TotalMilliseconds} ms.");
        report.Say($"all: {WaitingHandlers.Upstreams} upstream resources of 10 ms; first: of two, 10 and 30 ms; mixed: {CoapService.MixedThreads} handler threads, otherwise as by default.");
        report.Add(_throughput);
        report.Add(_p99);
        report.Add(_hello);
        report.Add(_failed);
    }

    private async Task RunAsync(string handler, ServerForm form)
    {
        await using var server = await form.StartAsync();
        using var load = new LoadGenerator(Wire.Coap, int.Parse(server["tcp"], CultureInfo.InvariantCulture));
        load.Grow(Askers + Greeters);
        Ask(handler, load, plan.WarmUp, server.Id);
        var runs = Enumerable.Range(0, plan.Repeats).Select(_ => Ask(handler, load, plan.Time, server.Id)).ToList();
        string[] what = [Describe(handler), form.Name];
        _hello.Add(what, new Runs(runs.Select(static run => run.Hello.Latencies.Percentile(0.99))));
        if (handler == "nothing") { return; }
        _throughput.Add(what, new Runs(runs.Select(static run => run.Slow.Latencies.Count / run.Elapsed.TotalSeconds)));
        _p99.Add(what, new Runs(runs.Select(static run => run.Slow.Latencies.Percentile(0.99))));
        var (all, wrong, missing) = (runs.Sum(static run => run.Slow.Latencies.Count), runs.Sum(static run => run.Slow.Wrong), runs.Sum(static run => run.Slow.Missing));
        report.Fail(wrong + missing);
        _failed.Add([.. what, $"{all}", $"{wrong}", $"{missing}", Runs.Format(runs.Sum(static run => run.Cpu) * 1e6 / all)]);
    }

    private static WaitingRun Ask(string handler, LoadGenerator load, TimeSpan time, int process)
    {
        var slow = new Asker(CoapWire.Get(handler), isReverse: false);
        var hello = new Asker(CoapWire.Get("hello"), isReverse: false, Pause);
        var before = ProcessUsage.Of(process);
        var elapsed = handler == "nothing"
            ? load.Run([(hello, Askers, Greeters)], time)
            : load.Run([(slow, 0, Askers), (hello, Askers, Greeters)], time);
        return new WaitingRun(slow, hello, elapsed, ProcessUsage.Of(process).CpuSince(before, static _ => true));
    }

    private static string Describe(string handler) => handler switch
    {
        "nothing" => "none, /hello alone",
        "all" => $"{WaitingHandlers.Upstreams} upstreams",
        "first" => "first of two",
        "compute" => "10 ms computing",
        "foreign" => "10 ms blocking code",
        _ => $"{handler[2..]} ms database",
    };

    private sealed record WaitingRun(Asker Slow, Asker Hello, TimeSpan Elapsed, double Cpu);
}
