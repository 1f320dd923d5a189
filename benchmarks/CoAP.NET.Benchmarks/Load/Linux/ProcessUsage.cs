using CoAP.Tool.LoadEngine;

namespace CoAP.Benchmarks.Load;

/// <summary>The resources that a process has used so far, as the kernel counts them.</summary>
/// <remarks>A thread that ends takes its context switches with it. Its processor time stays.</remarks>
internal sealed class ProcessUsage
{
    private const int CpuClockOfProcess = 2, CpuClockShift = 3;

    private readonly Dictionary<string, (string Name, long Nanoseconds, long Switches)> _threads = [];

    private ProcessUsage(int process)
    {
        Cpu = CpuOf(process);
        Resident = ProcessMemory.Resident($"{process}");
        foreach (var thread in Directory.EnumerateDirectories($"/proc/{process}/task"))
        {
            try
            {
                var nanoseconds = long.Parse(File.ReadAllText($"{thread}/schedstat").Split(' ')[0], CultureInfo.InvariantCulture);
                _threads[thread] = (File.ReadAllText($"{thread}/comm").TrimEnd(), nanoseconds, SwitchesOf(thread));
            }
            catch (IOException)
            {
                // The thread has ended.
            }
        }
    }

    /// <summary>The processor time of all threads, ended ones included.</summary>
    public TimeSpan Cpu { get; }

    /// <summary>The resident memory in bytes.</summary>
    public long Resident { get; }

    public int Threads => _threads.Count;

    /// <summary>The context switches of its threads, voluntary and involuntary.</summary>
    public long Switches => _threads.Sum(static one => one.Value.Switches);

    /// <exception cref="IOException">There is no such process.</exception>
    public static ProcessUsage Of(int process) => new(process);

    /// <summary>Returns the context switches since then, voluntary and involuntary.</summary>
    public long SwitchesSince(ProcessUsage earlier) =>
        _threads.Sum(one => one.Value.Switches - earlier._threads.GetValueOrDefault(one.Key).Switches);

    /// <summary>Returns the processor time since then of the threads with the given name.</summary>
    public TimeSpan CpuSince(ProcessUsage earlier, string thread) => TimeSpan.FromMicroseconds(
        _threads.Where(one => one.Value.Name == thread).Sum(one => one.Value.Nanoseconds - earlier._threads.GetValueOrDefault(one.Key).Nanoseconds) / 1000);

    // /proc counts in hundredths of a second; the clock of a process counts in nanoseconds.
    private static unsafe TimeSpan CpuOf(int process)
    {
        TimeSpec time;
        return ProcessCalls.GetTime((~process << CpuClockShift) | CpuClockOfProcess, &time) == 0
            ? TimeSpan.FromTicks((time.Seconds * TimeSpan.TicksPerSecond) + (time.Nanoseconds / TimeSpan.NanosecondsPerTick))
            : throw new IOException($"There is no process {process}.");
    }

    private static long SwitchesOf(string thread) => File.ReadLines($"{thread}/status")
        .Where(static line => line.Contains("ctxt_switches:", StringComparison.Ordinal))
        .Sum(static line => long.Parse(line[(line.IndexOf(':') + 1)..], CultureInfo.InvariantCulture));
}
