using CoAP.Measurements.Machines;
using CoAP.Measurements.Servers.Load;

namespace CoAP.Measurements.Servers;

/// <summary>One run of all connections, and what it took.</summary>
internal sealed record EchoRun
{
    private const string SocketEngine = ".NET Sockets";

    public double Requests { get; private init; }

    /// <summary>Requests a second.</summary>
    public double Rate { get; private init; }

    /// <summary>Milliseconds.</summary>
    public double Median { get; private init; }

    public double P99 { get; private init; }

    public double P999 { get; private init; }

    /// <summary>The server's processor time for a request, in microseconds.</summary>
    public double Cpu { get; private init; }

    /// <summary>What of it the runtime's thread used that waits for all sockets.</summary>
    public double EngineCpu { get; private init; }

    public double Cores { get; private init; }

    public double GeneratorCores { get; private init; }

    /// <summary>Context switches for a request.</summary>
    public double Switches { get; private init; }

    public double Threads { get; private init; }

    /// <summary>Requests that were answered wrongly or not at all.</summary>
    public long Failed { get; private init; }

    public static EchoRun Of(int process, Wire wire, LoadGenerator load, TimeSpan time)
    {
        var asker = new Asker(wire.Reverse, isReverse: true);
        var before = ProcessUsage.Of(process);
        var own = Environment.CpuUsage.TotalTime;
        var elapsed = load.Run([(asker, 0, load.Count)], time);
        own = Environment.CpuUsage.TotalTime - own;
        var after = ProcessUsage.Of(process);
        var requests = asker.Latencies.Count;
        var cpu = after.CpuSince(before, static _ => true);
        return new EchoRun
        {
            Requests = requests,
            Rate = requests / elapsed.TotalSeconds,
            Median = asker.Latencies.Milliseconds(0.5),
            P99 = asker.Latencies.Milliseconds(0.99),
            P999 = asker.Latencies.Milliseconds(0.999),
            Cpu = cpu * 1e6 / requests,
            EngineCpu = after.CpuSince(before, static name => name == SocketEngine) * 1e6 / requests,
            Cores = cpu / elapsed.TotalSeconds,
            GeneratorCores = own / elapsed,
            Switches = (double)after.SwitchesSince(before) / requests,
            Threads = after.Threads,
            Failed = asker.Wrong + asker.Missing,
        };
    }
}
