namespace CoAP.Benchmarks.Load;

/// <summary>Where the two ends of a hand-off run: the cores of the process, all if empty, and the cores of the two ends, any if <c>null</c>.</summary>
internal sealed record Placement(string Name, int[] Cores, int? Asking, int? Echoing)
{
    /// <summary>Both ends share one core: neither runs while the other does.</summary>
    public static Placement Together { get; } = new("one core", [0], 0, 0);

    /// <summary>Each end has a core and stays there.</summary>
    private static Placement Apart { get; } = new("a core each", [], 0, 1);

    /// <summary>The system chooses, and may change its mind.</summary>
    private static Placement Free { get; } = new("not pinned", [], null, null);

    /// <summary>For ends that block.</summary>
    public static Placement[] OfThreads => Environment.ProcessorCount > 1 ? [Apart, Together, Free] : [Together];

    /// <summary>For ends that await: they have no thread of their own that could be pinned.</summary>
    public static Placement[] OfTasks => Environment.ProcessorCount > 1 ? [Free, Together] : [Together];
}
