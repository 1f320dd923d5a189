namespace CoAP.Benchmarks.Load;

/// <summary>Settings that lift limits which would disturb a measurement.</summary>
internal static class Limits
{
    /// <summary>All clients have one address here, and a body may be as large as RFC 7959 allows.</summary>
    public static CoapServerSettings Server { get; } = new()
    {
        Tcp = new TcpSettings { MaxConnections = 40_000, MaxConnectionThreads = 12_000, Backlog = 4096 },
        WebSockets = new WebSocketServerSettings { MaxConnections = 40_000 },
        ServerTransfers = new ServerTransferSettings { MaxBodySize = int.MaxValue, MaxTotalSize = 4L << 30 },
        AllowsMessageIdReuse = true,
    };

    /// <summary>
    /// More than 265 messages a second to one peer need message IDs again sooner than RFC 7252, section 4.4 allows. The memory for duplicates is
    /// smaller than its default, because hundreds of clients share a process.
    /// </summary>
    public static CoapClientSettings Client { get; } = new()
    {
        AllowsMessageIdReuse = true,
        Deduplication = new DeduplicationSettings { Capacity = 4096, AnswerBufferSize = 256 << 10 },
    };
}
