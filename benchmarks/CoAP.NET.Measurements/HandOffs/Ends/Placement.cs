namespace CoAP.Measurements.HandOffs.Ends;

/// <summary>Where the two ends run.</summary>
/// <param name="Name">As in the tables.</param>
/// <param name="Cores">Those that the process may use; all where there are none.</param>
/// <param name="Asking">The core of the end that measures; any of them where there is none.</param>
/// <param name="Echoing">The core of the end that answers.</param>
internal sealed record Placement(string Name, int[] Cores, int? Asking, int? Echoing)
{
    /// <summary>Each end has a core, and stays there.</summary>
    public static Placement Apart { get; } = new("a core each", [], 0, 1);

    /// <summary>Both ends share one core: no end runs while the other does.</summary>
    public static Placement Together { get; } = new("one core", [0], 0, 0);

    /// <summary>As the system likes, and it may change its mind.</summary>
    public static Placement Free { get; } = new("not pinned", [], null, null);

    /// <summary>For blocking ends; one core is all there may be.</summary>
    public static Placement[] OfThreads => Environment.ProcessorCount > 1 ? [Apart, Together, Free] : [Together];

    /// <summary>Awaiting ends have no thread of their own that could be pinned.</summary>
    public static Placement[] OfTasks => Environment.ProcessorCount > 1 ? [Free, Together] : [Together];
}
