using System.Buffers.Text;
using System.Runtime;
using Microsoft.Win32.SafeHandles;

namespace CoAP.Lanes;

/// <summary>
/// The time in which the calling thread had work but did not do it: other threads had its processor (Linux), the runtime collected garbage, or it compiled
/// the code. Unlike its waits for locks, sleeps and I/O, none of this is due to the code that it runs.
/// </summary>
internal static class ThreadDelays
{
    // Three numbers: the nanoseconds on a processor, those in the queue for one, and the count of both.
    private const string Schedule = "/proc/thread-self/schedstat";
    private const int LongestSchedule = 64;

    [ThreadStatic]
    private static SafeFileHandle? _schedule;

    private static volatile bool _hasSchedule = OperatingSystem.IsLinux();

    /// <summary>Returns the time since the thread began. Takes a few microseconds.</summary>
    public static TimeSpan Read() =>
        InQueue() + GC.GetTotalPauseDuration() + JitInfo.GetCompilationTime(currentThread: true);

    /// <summary>Returns the time that a thread has waited for a processor, from the text that the kernel writes.</summary>
    public static TimeSpan Parse(ReadOnlySpan<byte> schedule)
    {
        var second = schedule[(schedule.IndexOf((byte)' ') + 1)..];
        return Utf8Parser.TryParse(second, out long nanoseconds, out _) ? TimeSpan.FromTicks(nanoseconds / TimeSpan.NanosecondsPerTick) : TimeSpan.Zero;
    }

    private static TimeSpan InQueue()
    {
        if (!_hasSchedule) { return TimeSpan.Zero; }
        try
        {
            Span<byte> text = stackalloc byte[LongestSchedule];
            var length = RandomAccess.Read(_schedule ??= File.OpenHandle(Schedule, share: FileShare.ReadWrite), text, 0);
            return Parse(text[..length]);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or NotSupportedException)
        {
            _hasSchedule = false;       // a kernel without these figures, or a container that hides them
            return TimeSpan.Zero;
        }
    }
}
