using CoAP.Measurements.Servers.Load;

namespace CoAP.Measurements.Meshes;

/// <summary>What one run of a server took.</summary>
/// <param name="Rate">Requests a second.</param>
/// <param name="Cpu">The server's processor time for a request, in microseconds.</param>
/// <param name="Latencies">Of each kind of request.</param>
/// <param name="Failed">Requests that were answered with an error or not at all.</param>
internal sealed record MeshRun(double Rate, double Cpu, Latencies[] Latencies, long Failed)
{
    public double Median(int kind = 0) => Latencies[kind].Percentile(0.5) * 1000;

    public double P99(int kind = 0) => Latencies[kind].Percentile(0.99) * 1000;
}
