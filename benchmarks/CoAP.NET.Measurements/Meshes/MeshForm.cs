namespace CoAP.Measurements.Meshes;

/// <summary>A server as it is measured.</summary>
/// <param name="Name">As in the tables.</param>
/// <param name="Values">What its process is told.</param>
internal sealed record MeshForm(string Name, params string[] Values)
{
    /// <summary>Each kind of stage both ways, one request like all others.</summary>
    public static MeshForm[] Stages { get; } =
    [
        new("all inline"),
        new("filter at 1 arrow (inline)", "filters=1"),
        new("filters at 3 arrows (inline)", "filters=3"),
        new("filters at 5 arrows (inline)", "filters=5"),
        new("tap at 1 arrow (buffered beside)", "taps=1"),
        new("block at 1 arrow (buffered)", "throughs=1"),
        new("blocks at 3 arrows (buffered)", "throughs=3"),
        new("blocks at 5 arrows (buffered)", "throughs=5"),
        new("user step, inline", "step=inline"),
        new("user step, goes on elsewhere", "step=elsewhere"),
        new("handler buffered, 1 thread", "handler=buffered", "threads=1"),
        new("handler buffered, 4 threads", "handler=buffered", "threads=4"),
    ];

    /// <summary>The same request with a payload, handled both ways.</summary>
    public static MeshForm[] Sizes { get; } = [new("inline", "above=65536"), new("buffered", "above=0")];

    /// <summary>What is larger than this is buffered.</summary>
    public static MeshForm[] Thresholds { get; } = [.. new[] { 512, 2_048, 8_192, 65_536 }.Select(static above => new MeshForm($"{above:N0}", $"above={above}"))];

    public static MeshForm[] Lanes { get; } = [new("1 lane", "lanes=1"), new("2 lanes", "lanes=2")];
}
