using System.Globalization;

namespace CoAP.Measurements.Servers;

/// <summary>What a process has used so far, as the system counts it. Linux only.</summary>
/// <param name="Cpu">Seconds of processor time by the name of the thread.</param>
/// <param name="Switches">Context switches of all threads, wanted or not.</param>
/// <param name="Threads">The threads that there are.</param>
internal sealed record ProcessUsage(IReadOnlyDictionary<string, double> Cpu, long Switches, int Threads)
{
    public double TotalCpu => Cpu.Values.Sum();

    public static ProcessUsage Of(int process)
    {
        var cpu = new Dictionary<string, double>();
        var switches = 0L;
        var threads = 0;
        foreach (var task in Directory.EnumerateDirectories($"/proc/{process}/task"))
        {
            try
            {
                var name = File.ReadAllText($"{task}/comm").TrimEnd();
                var nanoseconds = long.Parse(File.ReadAllText($"{task}/schedstat").Split(' ')[0], CultureInfo.InvariantCulture);
                cpu[name] = cpu.GetValueOrDefault(name) + nanoseconds / 1e9;
                switches += SwitchesOf($"{task}/status");
                threads++;
            }
            catch (IOException)
            {
                // The thread has ended meanwhile.
            }
        }
        return new ProcessUsage(cpu, switches, threads);
    }

    /// <summary>The resident set, in bytes.</summary>
    public static long ResidentSetOf(int process) =>
        Number(File.ReadLines($"/proc/{process}/status").First(static line => line.StartsWith("VmRSS:", StringComparison.Ordinal))) << 10;

    /// <summary>What was used since then, in seconds by the name of the thread.</summary>
    public double CpuSince(ProcessUsage earlier, Func<string, bool> threads) =>
        Cpu.Where(one => threads(one.Key)).Sum(one => one.Value - earlier.Cpu.GetValueOrDefault(one.Key));

    private static long SwitchesOf(string status) =>
        File.ReadLines(status).Where(static line => line.Contains("ctxt_switches", StringComparison.Ordinal)).Sum(Number);

    private static long Number(string line) => long.Parse(string.Concat(line.Where(char.IsAsciiDigit)), CultureInfo.InvariantCulture);
}
