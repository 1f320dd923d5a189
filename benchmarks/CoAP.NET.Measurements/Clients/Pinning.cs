using System.Diagnostics;

namespace CoAP.Measurements.Clients;

/// <summary>Gives client and server a core each, where there are two.</summary>
internal static class Pinning
{
    /// <summary>Moves all threads of this process to the last core, and answers which cores are whose.</summary>
    public static (int Server, int Client)? PinToLast()
    {
        if (!OperatingSystem.IsLinux() || Environment.ProcessorCount < 2) { return null; }
        var last = Environment.ProcessorCount - 1;
        // All threads that are there; later ones inherit it.
        using var pinning = Process.Start(new ProcessStartInfo("taskset", ["-a", "-p", "-c", $"{last}", $"{Environment.ProcessId}"]) { RedirectStandardOutput = true });
        pinning?.WaitForExit();
        return pinning is { ExitCode: 0 } ? (last - 1, last) : null;
    }
}
