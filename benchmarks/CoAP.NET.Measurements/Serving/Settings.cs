namespace CoAP.Measurements.Serving;

/// <summary>Settings in common: limits that a measurement is not about are lifted.</summary>
internal static class Settings
{
    /// <summary>All clients have one address here, and one body may be as large as RFC 7959 lets it be.</summary>
    public static CoapServerSettings Server { get; } = new()
    {
        Tcp = new TcpSettings { MaxConnections = 20_000, MaxConnectionsPerAddress = 20_000, MaxConnectionThreads = 12_000 },
        WebSockets = new WebSocketServerSettings { MaxConnections = 20_000, MaxConnectionsPerAddress = 20_000 },
        ServedBodies = new ServedBodySettings { MaxBodySize = int.MaxValue, MaxTotalSize = 4L << 30 },
        AllowMessageIdReuse = true,
    };

    /// <summary>
    /// More than 265 messages a second to one peer need message IDs again sooner than RFC 7252, section 4.4 wants. Hundreds of clients in one
    /// process remember less each: by default one that gets non-confirmable messages takes 28 MiB for duplicates.
    /// </summary>
    public static CoapClientSettings Client { get; } = new()
    {
        AllowMessageIdReuse = true,
        Deduplication = new DeduplicationSettings { Capacity = 4096, AnswerBytes = 256 << 10 },
    };
}
