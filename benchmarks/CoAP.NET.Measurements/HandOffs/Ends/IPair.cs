using CoAP.Measurements.Servers.Load;

namespace CoAP.Measurements.HandOffs.Ends;

/// <summary>Two ends that are there and wait, used again for every run.</summary>
internal interface IPair : IDisposable
{
    /// <summary>Makes some turn-arounds, on the calling thread where the ends block.</summary>
    /// <param name="turns">How many.</param>
    /// <param name="all">Gets the time of each, there and back.</param>
    HandOffRun Run(int turns, Latencies all);
}
