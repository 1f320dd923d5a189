using System.Globalization;
using System.Text;
using CoAP.Measurements.Profiles;

namespace CoAP.Measurements.Tests;

public sealed class ThreadSharesTests
{
    private const string Lane = "instance bool [CoAP.NET] CoAP.Mesh.Lane::Turn(class CoAP.Channels.LaneWork)[OptimizedTier1] (/tmp/perf-6822.map)";
    private const string Sending = "udp_sendmsg ([kernel.kallsyms])";
    private const string Spinning = "native_queued_spin_lock_slowpath ([kernel.kallsyms])";
    private const string Entering = "instance void [System.Private.CoreLib] System.Threading.Lock::EnterSlow()[OptimizedTier1] (/tmp/perf-6822.map)";
    private const string Runtime = "[unknown] (/usr/share/dotnet/libcoreclr.so)";

    private readonly StringBuilder _script = new();

    [Fact]
    public void Each_thread_has_its_share_of_all_samples_and_the_busiest_comes_first()
    {
        Sample("CoAP lane 0", Lane);
        Sample("CoAP lane 1", Lane);
        Sample("CoAP lane 1", Sending, Lane);
        Sample("CoAP lane 1", Lane);

        Shares().Should().Equal(new ThreadShare("CoAP lane 1", 75, 0, 0, 0), new ThreadShare("CoAP lane 0", 25, 0, 0, 0));
    }

    [Fact]
    public void A_wait_for_a_lock_of_the_kernel_counts_for_the_thread_that_waits()
    {
        Sample("CoAP lane 0", Spinning, Sending, Lane);
        Sample("CoAP lane 0", "schedule ([kernel.kallsyms])", "futex_wait_queue ([kernel.kallsyms])", "__x64_sys_futex ([kernel.kallsyms])", Lane);
        Sample("CoAP lane 0", Sending, Lane);
        Sample("CoAP lane 0", Lane);
        Sample("CoAP lane 1", Sending, Lane);

        Shares().Should().Equal(new ThreadShare("CoAP lane 0", 80, 50, 0, 0), new ThreadShare("CoAP lane 1", 20, 0, 0, 0));
    }

    [Fact]
    public void A_lock_of_the_runtime_is_told_from_what_it_does_without_a_name()
    {
        Sample("CoAP lane 0", Entering, Lane);
        Sample("CoAP lane 0", Runtime, Entering, Lane);
        Sample("CoAP lane 0", Runtime, Lane);
        Sample("CoAP lane 0", Lane);

        Shares().Should().Equal(new ThreadShare("CoAP lane 0", 100, 0, 50, 25));
    }

    [Fact]
    public void A_lock_that_sleeps_in_the_kernel_counts_once()
    {
        Sample("CoAP lane 0", "do_futex ([kernel.kallsyms])", "pthread_cond_wait (/usr/lib/libc.so.6)", Entering, Lane);

        Shares().Should().Equal(new ThreadShare("CoAP lane 0", 100, 100, 0, 0));
    }

    private IEnumerable<ThreadShare> Shares() => FoldedProfile.Read(new StringReader(_script.ToString())).ByThread.Threads;

    private void Sample(string thread, params string[] frames)
    {
        _script.Append(CultureInfo.InvariantCulture, $"{thread} \n");
        foreach (var frame in frames) { _script.Append(CultureInfo.InvariantCulture, $"\t 7f11 {frame}\n"); }
        _script.Append('\n');
    }
}
