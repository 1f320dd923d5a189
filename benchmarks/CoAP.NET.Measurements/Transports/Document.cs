using System.Globalization;

namespace CoAP.Measurements.Transports;

/// <summary>The figures of "WebSockets vs. WebTransport" (2022), in milliseconds.</summary>
internal static class Document
{
    public const string Title = "\"WebSockets vs. WebTransport\" (2022): a browser against Python servers; its WebSocket client sent packets one at a time, its WebTransport client in parallel";

    public static IReadOnlyDictionary<long, (double? WebSocket, double? WebTransport)> Clients { get; } = new Dictionary<long, (double?, double?)>
    {
        [1] = (449, 514),
        [10] = (1_314, 4_733),
        [64] = (6_842, 29_636),
        [100] = (10_562, null),
        [250] = (25_551, null),
        [500] = (null, null),
    };

    public static IReadOnlyDictionary<long, (double? WebSocket, double? WebTransport)> Packets { get; } = new Dictionary<long, (double?, double?)>
    {
        [1] = (12, 11),
        [10] = (117, 31),
        [100] = (1_094, 115),
        [1_000] = (11_341, 487),
        [10_000] = (114_392, 2_280),
    };

    public static IReadOnlyDictionary<long, (double? WebSocket, double? WebTransport)> Downloads { get; } = new Dictionary<long, (double?, double?)>
    {
        [1_000] = (12, 12),
        [1_000_000] = (124, 104),
        [10_000_000] = (1_115, 905),
        [100_000_000] = (1_537, 9_420),
        [1_000_000_000] = (10_264, 95_299),
        [2_000_000_000] = (null, null),
    };

    /// <summary>Both figures in one cell.</summary>
    public static string Both((double? WebSocket, double? WebTransport) figures) => $"WS {Text(figures.WebSocket)}, WT {Text(figures.WebTransport)}";

    private static string Text(double? figure) => figure?.ToString("N0", CultureInfo.InvariantCulture) ?? "fails";
}
