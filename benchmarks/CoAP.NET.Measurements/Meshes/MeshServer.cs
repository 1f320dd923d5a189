using System.Globalization;
using CoAP.Measurements.Servers;
using CoAP.Measurements.Serving;

namespace CoAP.Measurements.Meshes;

/// <summary>A running server of one form, with the load for it.</summary>
internal sealed class MeshServer : IAsyncDisposable
{
    // Compiled in full at once: what a second of warm-up is enough for. All forms alike.
    private static readonly string[] CompiledAhead = ["env", "DOTNET_TieredCompilation=0"];

    private readonly ServerProcess _process;
    private readonly UdpLoad _load;

    private MeshServer(MeshForm form, ServerProcess process, string cores)
    {
        (Form, Cores, _process) = (form, cores, process);
        _load = new UdpLoad(int.Parse(process["udp"], CultureInfo.InvariantCulture));
    }

    public MeshForm Form { get; }

    /// <summary>Those that it may use; all where there are none.</summary>
    public string Cores { get; }

    public static async Task<MeshServer> StartAsync(MeshForm form, MeshPlan plan, string cores)
    {
        string[] pinned = cores.Length == 0 ? [] : ["taskset", "-c", cores];
        return new MeshServer(form, await ServerProcess.StartBehindAsync([.. pinned, .. plan.IsCompiledAhead ? CompiledAhead : []], ["service=mesh", .. form.Values]), cores);
    }

    /// <summary>Asks for some time.</summary>
    public MeshRun Ask(TimeSpan time, params (UdpAsker Asker, int Outstanding)[] askers)
    {
        foreach (var (asker, _) in askers) { asker.Clear(); }
        var before = ProcessUsage.Of(_process.Id);
        var elapsed = _load.Run(askers, time);
        var cpu = ProcessUsage.Of(_process.Id).CpuSince(before, static _ => true);
        return new MeshRun(
            askers.Sum(static asker => asker.Asker.Latencies.Count) / elapsed.TotalSeconds,
            cpu * 1e6 / askers.Sum(static asker => asker.Asker.Latencies.Count),
            [.. askers.Select(static asker => asker.Asker.Latencies)],
            askers.Sum(static asker => asker.Asker.Wrong + asker.Asker.Missing));
    }

    public async ValueTask DisposeAsync()
    {
        _load.Dispose();
        await _process.DisposeAsync();
    }
}
