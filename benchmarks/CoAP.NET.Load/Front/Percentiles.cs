namespace CoAP.Load.Front;

/// <summary>The percentiles that are shown.</summary>
internal static class Percentiles
{
    public static IReadOnlyList<(string Name, double Share)> All { get; } =
        [("p50", 0.5), ("p75", 0.75), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99), ("p99.9", 0.999), ("p99.99", 0.9999)];
}
