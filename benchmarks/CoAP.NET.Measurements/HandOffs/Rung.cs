using CoAP.Measurements.HandOffs.Ends;
using CoAP.Measurements.HandOffs.Rungs;

namespace CoAP.Measurements.HandOffs;

/// <summary>One way to hand something over.</summary>
/// <param name="Name">As in the tables.</param>
/// <param name="Length">How many turns a run has.</param>
internal sealed record Rung(string Name, RungLength Length)
{
    /// <summary>Makes the two ends, where both are in this process.</summary>
    public Func<Placement, IPair>? Open { get; private init; }

    /// <summary>What leads to the other end, where that is a process of its own.</summary>
    public SocketKind? Kind { get; private init; }

    /// <summary>Both ends await instead of blocking.</summary>
    public bool IsAwaited { get; private init; }

    /// <summary>Both ends are one thread.</summary>
    public bool IsOneThread { get; private init; }

    /// <summary>The other process is in another network.</summary>
    public bool IsRemote { get; private init; }

    /// <summary>The document's mean of minima with its bounds, in nanoseconds.</summary>
    public string Document { get; private init; } = "";

    public Placement[] Placements => IsOneThread ? [Placement.Together] : IsAwaited ? Placement.OfTasks : Placement.OfThreads;

    public static IReadOnlyList<Rung> All { get; } =
    [
        Inline("Dataflow inline stages", Dataflows.OpenInline),
        Blocking("spin on a volatile", Spinning.Open, RungLength.Spinning, "63.95 (63.92 - 63.98)"),
        Blocking("SemaphoreSlim", Semaphores.OpenSlim, RungLength.Within, "2,073 (2,055 - 2,090)"),
        Blocking("AutoResetEvent", Semaphores.OpenHandles, RungLength.Within),
        Blocking("BlockingCollection", Queues.OpenBlocking, RungLength.Within, "1,908 (1,869 - 1,921)"),
        Blocking("in-memory transport", InMemory.Open, RungLength.Within),
        Awaited("SemaphoreSlim awaited", Semaphores.OpenAwaited),
        Awaited("Channel<T>", Queues.OpenChannels),
        Awaited("Channel<T> inline", Queues.OpenInlineChannels),
        Awaited("Dataflow BufferBlock", Dataflows.OpenBuffers),
        Awaited("Dataflow TransformBlock", Dataflows.OpenTransform),
        Awaited("Dataflow ActionBlock", Dataflows.OpenAction),
        Across("Unix socket", SocketKind.Unix, document: "13,830 (13,720 - 13,940)"),
        Across("UDP loopback", SocketKind.Udp),
        Across("TCP loopback", SocketKind.Tcp),
        Across("UDP loopback awaited", SocketKind.Udp, isAwaited: true),
        Across("TCP loopback awaited", SocketKind.Tcp, isAwaited: true),
        Across("UDP two networks", SocketKind.Udp, isRemote: true),
        Across("TCP two networks", SocketKind.Tcp, isRemote: true, document: "14,320 (14,230 - 14,420)"),
    ];

    private static Rung Inline(string name, Func<Placement, IPair> open) => new(name, RungLength.Spinning) { Open = open, IsOneThread = true };

    private static Rung Blocking(string name, Func<Placement, IPair> open, RungLength length, string document = "") =>
        new(name, length) { Open = open, Document = document };

    private static Rung Awaited(string name, Func<Placement, IPair> open) => new(name, RungLength.Within) { Open = open, IsAwaited = true };

    private static Rung Across(string name, SocketKind kind, bool isAwaited = false, bool isRemote = false, string document = "") =>
        new(name, RungLength.Across) { Kind = kind, IsAwaited = isAwaited, IsRemote = isRemote, Document = document };
}
