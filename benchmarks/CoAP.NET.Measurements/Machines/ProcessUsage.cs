using System.Globalization;
using CoAP.Measurements.Reporting;

namespace CoAP.Measurements.Machines;

/// <summary>What the threads of a process have used so far, as the system counts it. Linux only.</summary>
/// <remarks>A thread that ends takes its counts with it: what it used between two looks is missing in the difference.</remarks>
internal sealed class ProcessUsage
{
    private readonly Dictionary<string, (string Name, double Cpu, long Switches)> _threads = [];

    /// <summary>The threads that there are.</summary>
    public int Threads => _threads.Count;

    public static ProcessUsage Of(int process)
    {
        var usage = new ProcessUsage();
        foreach (var task in Directory.EnumerateDirectories($"/proc/{process}/task"))
        {
            try
            {
                var name = File.ReadAllText($"{task}/comm").TrimEnd();
                var nanoseconds = long.Parse(File.ReadAllText($"{task}/schedstat").Split(' ')[0], CultureInfo.InvariantCulture);
                usage._threads[task] = (name, nanoseconds / 1e9, ProcessStatus.Switches(task));
            }
            catch (IOException)
            {
                // The thread has ended meanwhile.
            }
        }
        return usage;
    }

    /// <summary>The processor time used since then by the threads of such a name, in seconds.</summary>
    public double CpuSince(ProcessUsage earlier, Func<string, bool> isMeant) =>
        _threads.Where(one => isMeant(one.Value.Name)).Sum(one => one.Value.Cpu - earlier._threads.GetValueOrDefault(one.Key).Cpu);

    /// <summary>The context switches since then, wanted or not.</summary>
    public long SwitchesSince(ProcessUsage earlier) =>
        _threads.Sum(one => one.Value.Switches - earlier._threads.GetValueOrDefault(one.Key).Switches);

    /// <summary>The resident set, in bytes.</summary>
    public static long ResidentSetOf(int process) => ProcessStatus.Resident($"/proc/{process}");

    /// <summary>The most that the resident set was since the system was told to count it anew, in bytes.</summary>
    public static long PeakOf(int process) => ProcessStatus.Peak($"/proc/{process}");
}
