namespace CoAP.Benchmarks.Load;

/// <summary>Counts the system calls of a process with "perf", if that is installed and allowed. /proc counts no calls on sockets.</summary>
internal sealed class SystemCallCounter : IDisposable
{
    private readonly Process _perf;

    private SystemCallCounter(Process perf) => _perf = perf;

    /// <summary>Begins to count the calls of all threads. Returns <c>null</c> if that is not possible.</summary>
    public static SystemCallCounter? Begin(int process)
    {
        try
        {
            string[] arguments = ["stat", "-x", ",", "-e", "raw_syscalls:sys_enter", "-p", $"{process}"];
            return Process.Start(new ProcessStartInfo("perf", arguments) { RedirectStandardError = true }) is { } perf ? new SystemCallCounter(perf) : null;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return null;
        }
    }

    /// <summary>Stops counting and returns the number of calls, or NaN if they could not be counted.</summary>
    public double End()
    {
        // perf prints its count when it is interrupted, and nothing when it is killed.
        using (var interrupt = Process.Start("kill", ["-INT", $"{_perf.Id}"])) { interrupt.WaitForExit(); }
        var line = _perf.StandardError.ReadToEnd().Split('\n').FirstOrDefault(static line => line.Contains("sys_enter", StringComparison.Ordinal)) ?? "";
        return double.TryParse(line.Split(',')[0], NumberStyles.Float, CultureInfo.InvariantCulture, out var count) ? count : double.NaN;
    }

    public void Dispose() => _perf.Dispose();
}
