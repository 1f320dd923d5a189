using System.Diagnostics;

namespace CoAP.Load;

/// <summary>Monotonic time in nanoseconds: what the engine's times are in.</summary>
internal static class Clock
{
    public const long Millisecond = 1_000_000;

    private const long Second = 1_000_000_000;
    private static readonly bool IsDirect = Stopwatch.Frequency == Second;
    private static readonly double Factor = (double)Second / Stopwatch.Frequency;

    public static long Now => IsDirect ? Stopwatch.GetTimestamp() : (long)(Stopwatch.GetTimestamp() * Factor);

    public static long ToNanoseconds(TimeSpan time) => time.Ticks * TimeSpan.NanosecondsPerTick;
}
