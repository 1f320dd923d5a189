using System.Diagnostics;

namespace CoAP.Tool.LoadEngine;

/// <summary>The monotonic clock in nanoseconds. On Linux it is what <see cref="Stopwatch"/> reads.</summary>
internal static class Clock
{
    public const long Millisecond = 1_000_000, Second = 1_000_000_000;

    private const int Monotonic = 1, Absolute = 1;

    public static long Now => Stopwatch.GetTimestamp();

    public static long ToNanoseconds(TimeSpan time) => time.Ticks * TimeSpan.NanosecondsPerTick;

    /// <summary>Sleeps until a time of this clock, precisely to fractions of a millisecond.</summary>
    public static unsafe void SleepUntil(long nanoseconds)
    {
        var time = new TimeSpec { Seconds = nanoseconds / Second, Nanoseconds = nanoseconds % Second };
        while (LinuxCalls.Sleep(Monotonic, Absolute, &time, null) != 0)
        {
            // A signal interrupted the sleep.
        }
    }
}
