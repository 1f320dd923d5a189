using CoAP.Tool.LoadEngine;

namespace CoAP.Benchmarks.Load;

/// <summary>The three lengths of the document's runs.</summary>
internal enum RungLength
{
    /// <summary>Neither end sleeps.</summary>
    Spinning,

    /// <summary>Between threads of a process.</summary>
    Within,

    /// <summary>Between processes.</summary>
    Across,
}

/// <summary>One way to hand something over. The document's figure is its mean of minima with its bounds, in nanoseconds.</summary>
internal sealed record Rung(string Name, RungLength Length, Func<Placement, Ends>? Open = null, string Document = "")
{
    /// <summary>The kind of socket that leads to another process; <c>null</c> if there is none, or if ZeroMQ leads there.</summary>
    public SocketKind? Kind { get; private init; }

    /// <summary>Whether both ends await instead of blocking.</summary>
    public bool IsAwaited { get; private init; }

    /// <summary>Whether the other process is in another network.</summary>
    public bool IsRemote { get; private init; }

    public Placement[] Placements => IsAwaited ? Placement.OfTasks : Placement.OfThreads;

    public static IReadOnlyList<Rung> All { get; } =
    [
        new("spin on a volatile", RungLength.Spinning, Rungs.Spin, "63.95 (63.92 - 63.98)"),
        new("SemaphoreSlim", RungLength.Within, Rungs.Semaphore, "2,073 (2,055 - 2,090)"),
        new("AutoResetEvent", RungLength.Within, Rungs.Handle),
        new("BlockingCollection", RungLength.Within, Rungs.BlockingQueue),
        new("ZeroMQ in a process", RungLength.Within, ZeroMq.Within, "1,908 (1,869 - 1,921)"),
        new("SemaphoreSlim awaited", RungLength.Within, Rungs.AwaitedSemaphore) { IsAwaited = true },
        new("Channel<T>", RungLength.Within, Rungs.Channels) { IsAwaited = true },
        new("Channel<T> inline", RungLength.Within, Rungs.InlineChannels) { IsAwaited = true },
        new("Dataflow TransformBlock", RungLength.Within, Rungs.Transform) { IsAwaited = true },
        new("Unix socket", RungLength.Across, Document: "13,830 (13,720 - 13,940)") { Kind = SocketKind.Unix },
        new("UDP loopback", RungLength.Across) { Kind = SocketKind.Udp },
        new("TCP loopback", RungLength.Across) { Kind = SocketKind.Tcp },
        new("UDP loopback awaited", RungLength.Across) { Kind = SocketKind.Udp, IsAwaited = true },
        new("TCP loopback awaited", RungLength.Across) { Kind = SocketKind.Tcp, IsAwaited = true },
        new("UDP two networks", RungLength.Across) { Kind = SocketKind.Udp, IsRemote = true },
        new("TCP two networks", RungLength.Across) { Kind = SocketKind.Tcp, IsRemote = true },
        new("ZeroMQ TCP loopback", RungLength.Across),
        new("ZeroMQ TCP two networks", RungLength.Across, Document: "14,320 (14,230 - 14,420)") { IsRemote = true },
    ];
}

/// <summary>All runs of a rung in one placement, every turn-around, and what both ends used.</summary>
internal sealed record RungResult(Rung Rung, Placement Placement, int Turns, IReadOnlyList<HandOffRun> Runs, LatencyHistogram All, Usage Used)
{
    public double[] Minima => [.. Runs.Select(static run => run.Least)];

    /// <summary>There and back are two.</summary>
    public double HandOffs => 2.0 * Turns * Runs.Count;

    /// <summary>Whether both ends spin on one core: each turn takes a whole time slice.</summary>
    public bool IsStarving => LadderPlan.IsStarving(Rung, Placement);
}
