using System.Diagnostics;
using System.Runtime.InteropServices;

namespace CoAP.Measurements.Drip;

/// <summary>Sleeps until a time of the monotonic clock: fractions of a millisecond matter here. For Linux.</summary>
internal static partial class Pace
{
    private const int Monotonic = 1;
    private const int Absolute = 1;

    public static void SleepUntil(long timestamp)
    {
        var time = new ClockTime { Seconds = (nint)(timestamp / Stopwatch.Frequency), Nanoseconds = (nint)(timestamp % Stopwatch.Frequency) };
        while (ClockSleep(Monotonic, Absolute, time, 0) != 0)
        {
            // A signal came; the time has not.
        }
    }

    // The monotonic clock is what timestamps come from on Linux, in nanoseconds.
    [LibraryImport("libc", EntryPoint = "clock_nanosleep")]
    private static partial int ClockSleep(int clock, int flags, in ClockTime time, nint remaining);

    private struct ClockTime
    {
        public nint Seconds;
        public nint Nanoseconds;
    }
}
