using System.Diagnostics;
using System.Globalization;

namespace CoAP.Measurements.Machines;

/// <summary>Counts the system calls of a process by the kernel's own tracepoint, where "perf" may; /proc counts no calls on sockets.</summary>
internal sealed class SystemCalls : IDisposable
{
    private readonly Process _perf;

    private SystemCalls(Process perf) => _perf = perf;

    /// <summary>Begins to count, of all threads that there are and come; nothing where that cannot be done.</summary>
    public static SystemCalls? Begin(int process)
    {
        try
        {
            string[] arguments = ["stat", "-x", ",", "-e", "raw_syscalls:sys_enter", "-p", process.ToString(CultureInfo.InvariantCulture)];
            var start = new ProcessStartInfo("perf", arguments) { RedirectStandardError = true, UseShellExecute = false };
            return Process.Start(start) is { } perf ? new SystemCalls(perf) : null;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return null;
        }
    }

    /// <summary>Stops, and answers how many there were.</summary>
    public double End()
    {
        // An interrupt makes it print; killed it would say nothing.
        using (var interrupt = Process.Start("kill", ["-INT", _perf.Id.ToString(CultureInfo.InvariantCulture)])) { interrupt.WaitForExit(); }
        var text = _perf.StandardError.ReadToEnd();
        var line = text.Split('\n').FirstOrDefault(static line => line.Contains("sys_enter", StringComparison.Ordinal)) ?? "";
        return double.TryParse(line.Split(',')[0], NumberStyles.Float, CultureInfo.InvariantCulture, out var count) ? count : double.NaN;
    }

    public void Dispose() => _perf.Dispose();
}
