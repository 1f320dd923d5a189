namespace CoAP.Measurements.Profiles;

/// <summary>Samples by thread, and how many of them are in what threads do only because of each other: two that share nothing have none.</summary>
internal sealed class ThreadShares
{
    // Spinning for a lock, and sleeping for one.
    private static readonly string[] KernelLocks =
        ["queued_spin_lock_slowpath", "queued_read_lock_slowpath", "queued_write_lock_slowpath", "rwsem_down", "rwsem_spin", "osq_lock", "mutex_lock_slowpath", "futex", "sched_yield"];

    // Names of compiled C#, of what the runtime exports and of the C library. A lock that is free and compiled into its caller has no frame.
    private static readonly string[] RuntimeLocks =
    [
        "System.Threading.Monitor::", "System.Threading.Lock::", "System.Threading.SpinWait::", "System.Threading.SpinLock::", "System.Threading.ManualResetEvent",
        "System.Threading.SemaphoreSlim::", "AwareLock", "CrstBase", "JIT_Mon", "__lll_lock", "pthread_mutex", "pthread_cond", "pthread_rwlock",
    ];

    private readonly Dictionary<string, Samples> _threads = new(StringComparer.Ordinal);
    private long _total;

    /// <summary>The threads, the busiest first.</summary>
    public IEnumerable<ThreadShare> Threads =>
        from one in _threads
        let all = one.Value.All
        orderby all descending, one.Key
        select new ThreadShare(one.Key, 100.0 * all / _total, 100.0 * one.Value.Kernel / all, 100.0 * one.Value.Runtime / all, 100.0 * one.Value.Unnamed / all);

    public void Add(string thread, IReadOnlyList<FrameName> stack)
    {
        if (!_threads.TryGetValue(thread, out var samples)) { _threads[thread] = samples = new Samples(); }
        _total++;
        samples.All++;
        // Any frame counts: who waits calls others for it.
        if (stack.Any(static frame => frame.IsKernel && Array.Exists(KernelLocks, frame.Symbol.Contains))) { samples.Kernel++; }
        else if (stack.Any(static frame => !frame.IsKernel && Array.Exists(RuntimeLocks, frame.Symbol.Contains))) { samples.Runtime++; }
        else if (stack.Count > 0 && stack[0].File.Contains("coreclr", StringComparison.Ordinal)) { samples.Unnamed++; }
    }

    private sealed class Samples
    {
        public long All { get; set; }

        public long Kernel { get; set; }

        public long Runtime { get; set; }

        public long Unnamed { get; set; }
    }
}
