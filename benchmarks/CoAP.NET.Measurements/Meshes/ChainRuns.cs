using System.Diagnostics;
using CoAP.Measurements.HandOffs;
using CoAP.Measurements.Reporting;
using CoAP.Measurements.Servers.Load;

namespace CoAP.Measurements.Meshes;

/// <summary>Chains of 1, 3 and 5 stages: what a message costs where many are on the way, and how long one takes that is alone.</summary>
internal sealed class ChainRuns(MeshPlan plan, Report report)
{
    private const int Window = 256;
    private const int MessagesOfLatency = 20;
    private static readonly int[] Lengths = [1, 3, 5];

    private readonly Results _cost = new("stages-cost", "CPU ns/message", "stages", "how many");
    private readonly Results _time = new("stages-time", "ns/message", "stages", "how many");
    private readonly Results _latency = new("stages-latency", "ns, median of a run", "stages", "how many");

    public void Run()
    {
        var forms = (from chain in Chain.All from length in Lengths select new Measured(chain, length)).ToArray();
        for (var round = -1; round < plan.Rounds; round++)
        {
            foreach (var form in forms) { form.Run(plan.Messages, isCounted: round >= 0); }
        }
        foreach (var form in forms)
        {
            string[] what = [form.Chain.Name, $"{form.Length}"];
            _cost.Add(what, new Runs(form.Costs));
            _time.Add(what, new Runs(form.Times));
            _latency.Add(what, new Runs(form.Latencies));
        }
        report.Say("");
        report.Say($"Stages that only hand on, with an end. Cost: {Window} on the way, processor time of the whole process. Latency: one on the way, from before the first stage to the end.");
        report.Add(_cost);
        report.Add(_time);
        report.Add(_latency);
        Draw(forms);
    }

    private void Draw(Measured[] forms)
    {
        foreach (var (name, title, values) in new (string, string, Func<Measured, List<double>>)[]
        {
            ("stages-cost", "Processor time of a message through a chain of stages", static form => form.Costs),
            ("stages-latency", "Latency of a message through a chain of stages", static form => form.Latencies),
        })
        {
            var plot = new Plot(name, title, "stages", "nanoseconds") { IsLogAcross = false };
            foreach (var chain in forms.GroupBy(static form => form.Chain.Name))
            {
                plot.Line(chain.Key, chain.Select(form => ((double)form.Length, new Runs(values(form)).Median)));
            }
            report.Add(plot);
        }
    }

    /// <summary>One chain of one length, made anew for each run: that costs nothing where it is counted.</summary>
    private sealed class Measured(Chain chain, int length)
    {
        private static readonly ManualResetEventSlim There = new(false, spinCount: 0);
        private long _came;
        private long _awaited;

        public Chain Chain => chain;

        public int Length => length;

        public List<double> Costs { get; } = [];

        public List<double> Times { get; } = [];

        public List<double> Latencies { get; } = [];

        public void Run(int messages, bool isCounted)
        {
            _came = 0;
            var (push, end) = chain.Make(length, Come);
            var (before, started) = (Native.Now(), Stopwatch.GetTimestamp());
            var item = new ChainItem();
            for (var sent = 0L; sent < messages; sent += Window) { Push(push, item, Window); }
            var time = Stopwatch.GetElapsedTime(started).TotalNanoseconds / _came;
            var cost = Native.Now().Since(before).Cpu * 1000 / _came;
            var latencies = new Latencies();
            for (var sent = 0; sent < messages / MessagesOfLatency; sent++)
            {
                item.SentAt = Stopwatch.GetTimestamp();
                Push(push, item, 1);
                latencies.Add(item.CameAt - item.SentAt);
            }
            end();
            if (!isCounted) { return; }
            Costs.Add(cost);
            Times.Add(time);
            Latencies.Add(latencies.Percentile(0.5) * 1e6);
        }

        private void Push(Action<ChainItem> push, ChainItem item, int count)
        {
            There.Reset();
            Volatile.Write(ref _awaited, _came + count);
            for (var at = 0; at < count; at++) { push(item); }
            There.Wait();
        }

        private void Come(ChainItem item)
        {
            if (Volatile.Read(ref _awaited) != ++_came) { return; }
            item.CameAt = Stopwatch.GetTimestamp();
            There.Set();
        }
    }
}
