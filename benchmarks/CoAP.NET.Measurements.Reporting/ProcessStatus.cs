using System.Globalization;

namespace CoAP.Measurements.Reporting;

/// <summary>The lines of /proc/ID/status, or of a thread's. Linux only.</summary>
internal static class ProcessStatus
{
    private const int Kibi = 1024;

    /// <summary>The context switches, wanted or not.</summary>
    /// <exception cref="IOException">The process or the thread has ended.</exception>
    public static long Switches(string folder) => Sum(folder, "ctxt_switches:");

    /// <summary>The resident set in bytes.</summary>
    public static long Resident(string folder) => Sum(folder, "VmRSS:") * Kibi;

    /// <summary>The most that the resident set was since the system was told to count it anew, in bytes.</summary>
    public static long Peak(string folder) => Sum(folder, "VmHWM:") * Kibi;

    private static long Sum(string folder, string name) => File.ReadLines($"{folder}/status")
        .Where(line => line.Contains(name, StringComparison.Ordinal))
        .Sum(static line => long.Parse(string.Concat(line.Where(char.IsAsciiDigit)), CultureInfo.InvariantCulture));
}
