namespace CoAP.Tests.Architecture.Limits;

/// <summary>The limits on the bytes of messages and bodies.</summary>
internal static class MessageLimits
{
    public static IReadOnlyList<Limit> All { get; } =
    [
        Row.Server(
            s => s.Stream.MaxMessageSize, "bytes",
            "one message over a connection", "larger bodies arrive in blocks",
            "4.13, and the message is skipped", "coap.request.ended"),
        Row.Server(
            s => s.Stream.AbortAboveSize, "bytes",
            "a message that is skipped", "above it, a new connection is cheaper",
            "Abort", "coap.connection.aborted"),
        Row.Server(
            s => s.Stream.MaxUnreadSize, "bytes",
            "responses that the peer of one connection has not read", "a peer that does not read gets no further work done",
            "the connection is not read"),
        Row.Server(
            s => s.Stream.MaxUnsentSize, "bytes",
            "all unread responses of one connection, including those to earlier requests", "one peer must not fill the memory",
            "5.03 instead of a large response; 5.00 for POST and PATCH", "coap.answer.unread"),
        Row.Server(
            s => s.MaxInFlightSize, "bytes",
            "received bytes of incomplete messages (one half) and unsent responses (the other half) of all connections",
            "their memory stays bounded, whatever the number of connections",
            "connections of an account over its share are not read, and its buffered handlers wait; WebSockets are closed with 1013",
            shared: "received bytes and unsent bytes"),
    ];

    public static IReadOnlyList<Limit> Bodies { get; } =
    [
        Row.Server(
            s => s.ServerTransfers.MaxBodySize, "bytes",
            "one body that is collected or kept", "the most that blocks of 16 bytes can carry",
            "4.13 for a request, 5.00 for a response", "coap.request.ended"),
        Row.Server(
            s => s.ServerTransfers.MaxStreamedSize, "bytes",
            "one body that a handler reads while it arrives (`StreamsBody`)", "the most that blocks of 1,024 bytes can carry",
            "4.13", "coap.request.ended"),
        Row.Server(
            s => s.ServerTransfers.StreamWindow, "bytes",
            "bytes of a streamed body that the handler has not read", "a slow handler must not fill the memory",
            "the client waits"),
        Row.Server(
            s => s.ServerTransfers.MaxBodiesPerPeer, "bodies",
            "bodies that one peer sends, and bodies that it fetches", "more than honest clients use",
            "the peer's oldest kept response is dropped, then 5.03 with Max-Age", "coap.request.ended"),
        Row.Server(
            s => s.ServerTransfers.MaxTotalSize, "bytes",
            "all received and kept bodies, requests of 1 KiB or more that handlers hold, large requests of observers, and notifications that wait for slow observers", "enough for four bodies of the largest size",
            "kept responses to GET and FETCH are dropped, then 4.29 or 5.03 with Max-Age", "coap.request.ended", "bodies"),
        Row.Server(
            s => s.ServerTransfers.MaxBodyTurn, "",
            "the time for which a body that is still arriving may keep other requests to its path waiting",
            "a slow peer must not keep everyone from changing a resource",
            "4.08, and the transfer ends", "coap.request.ended"),
        Row.Server(
            s => s.ServerTransfers.BlockTimeout, "",
            "the time that a handler waits for the next block", "enough for three retransmissions",
            "4.08, and the transfer ends", "coap.request.ended"),
        Row.Server(
            s => s.ServerTransfers.Lifetime, "",
            "the time that a body is kept after its latest block", "a client may repeat a block for this long",
            "the body is deleted")
            with { Special = ("EXCHANGE_LIFETIME, 247 s", null) },
        Row.Server(
            s => s.RobustTransfers.NonPartialTimeout, "",
            "the time that an incomplete body of Q-Block1 is kept without new blocks", "the value of NON_PARTIAL_TIMEOUT in RFC 9177",
            "the body is deleted"),
        Row.Server(
            s => s.RobustTransfers.MaxFinishedBodies, "bodies",
            "complete bodies of Q-Block1 that one lane remembers", "a repeated block gets the same response",
            "the oldest is forgotten, preferably one of the same account"),
    ];
}
