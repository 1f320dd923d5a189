namespace CoAP.Tests.Architecture.Limits;

/// <summary>The limits on connections.</summary>
internal static class ConnectionLimits
{
    private const string Refused = "coap.connection.refused";
    private const string Aborted = "coap.connection.aborted";

    public static IReadOnlyList<Limit> All { get; } =
    [
        Row.Server(
            s => s.Tcp.MaxConnections, "connections",
            "accepted connections", "each connection needs a socket and buffers",
            "closed, warning", Refused, "connections"),
        Row.Server(
            s => s.Tcp.MaxConnectionThreads, "connections",
            "accepted connections with `ServerMode.Sync`", "a process aborts at about 16,000 threads",
            "closed, warning", Refused, "connections"),
        Row.Server(
            s => s.WebSockets.MaxConnections, "connections",
            "WebSockets of a web host", "the same as for TCP",
            "closed with status 1008, warning", Refused, "websockets"),
        Row.Server(
            s => s.Tls.MaxConcurrentHandshakes, "handshakes",
            "TLS handshakes in progress", "handshakes are expensive, and their peers are unknown",
            "closed, warning", Refused, "handshakes"),
        Row.Server(
            s => s.Tls.HandshakeTimeout, "",
            "the time of a TLS handshake", "a silent peer must not hold a place",
            "closed", "coap.handshake.failed"),
        Row.Server(
            s => s.Stream.CsmTimeout, "",
            "the time until the first message, the CSM", "a silent peer must not hold a place",
            "Abort", Aborted),
        Row.Server(
            s => s.Stream.MessageTimeout, "",
            "the time from the first to the last byte of a message, and the time that a message waits for room. While an account uses more than half of its share, its messages over 4 KiB must gain 5 KiB every 5 s",
            "a peer that sends single bytes must not hold memory",
            "Abort", Aborted),
        Row.Server(
            s => s.Stream.IdleTimeout, "",
            "the time without messages, requests and observations", "clients reconnect when they need to",
            "Release; with a request or an observation a Ping, which the peer must answer"),
        Row.Server(
            s => s.Stream.PingInterval, "",
            "the time of silence until a Ping", "pings would wake sleeping devices",
            "a Ping is sent")
            with { Special = ("never", null) },
        Row.Server(
            s => s.Stream.PingTimeout, "",
            "the time of silence after a Ping", "longer than interruptions of most networks",
            "closed"),
        Row.Server(
            s => s.Tcp.SendTimeout, "",
            "the time for which a peer accepts no bytes", "longer than interruptions of most networks",
            "closed"),
        Row.Server(
            s => s.Stream.ReleaseTimeout, "",
            "the time that a peer has to close after a Release", "enough for the requests in progress",
            "closed"),
        Row.Server(
            s => s.Stream.MaxTokenLength, "bytes",
            "the token of a request over a connection", "the length that all peers support",
            "Abort", Aborted),
    ];
}
