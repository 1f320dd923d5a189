namespace CoAP.Tests.Architecture.Limits;

/// <summary>The limits on requests and their handlers.</summary>
internal static class RequestLimits
{
    public static IReadOnlyList<Limit> All { get; } =
    [
        Row.Server(
            s => s.MaxPendingRequests, "requests",
            "received requests without an answer, and separate responses without an acknowledgement", "bounds the memory that slow handlers cost",
            "4.29 with Max-Age (`coap.request.ended`); datagrams are dropped if nothing is free; separate responses are sent once", "coap.dropped", "requests, separate answers"),
        Row.Server(
            s => s.Stream.MaxRequestsInProgress, "requests",
            "unanswered requests of one connection", "enough for fast pipelining",
            "the connection is not read"),
        Row.Server(
            s => s.HandlerThreads, "threads",
            "buffered handlers that run at the same time", "handlers that block need more threads than there are processors",
            "requests wait in a queue, in which accounts take turns", shared: "handler threads")
            with { Special = ("4 × processors, at least 8", Math.Max(8, Environment.ProcessorCount * 4)) },
        Row.Server(
            s => s.BodyThreads, "threads",
            "handlers that read a body while it arrives", "they wait for peers, so they must not use the threads of others",
            "requests wait in a queue, in which accounts take turns", shared: "body threads"),
        Row.Server(
            s => s.MaxHandlerQueue, "requests",
            "requests that occupy a handler thread or wait for one", "clients would give up the requests of a longer queue",
            "4.29 or 5.03 with Max-Age; 4.01 with Echo if the address is not verified", "coap.request.ended", "handler queue"),
        Row.Server(
            s => s.MaxInlinePayload, "bytes",
            "the payload of a request for an inline handler", "a larger one would delay the other requests of the lane",
            "the handler runs on a handler thread"),
        Row.Server(
            s => s.MaxPendingAuthorizations, "calls",
            "calls of authorizers in progress", "peers must not overload the database of an authorizer",
            "4.29 or 5.03 with Max-Age; notifications wait", "coap.request.ended", "authorizations"),
        Row.Server(
            s => s.AuthorizationTimeout, "",
            "the time that an asynchronous authorizer may take", "a database that does not respond must not hold requests",
            "5.03", "coap.request.ended"),
        Row.Server(
            s => s.MaxTokenLength, "bytes",
            "the token of a request over UDP", "enough for the state of a stateless client",
            "4.00", "coap.request.ended"),
        Row.Server(
            s => s.MaxPathSegments, "segments",
            "the path of a request", "a datagram has room for 65,000 empty segments, and handlers may work on each of them",
            "4.00", "coap.request.ended"),
        Row.Server(
            s => s.MaxPathLength, "bytes",
            "the path of a request, with a slash before each segment", "longer than the paths that devices use",
            "4.00", "coap.request.ended"),
        Row.Server(
            s => s.MaxQueryArguments, "arguments",
            "the query of a request", "handlers search the arguments one by one",
            "4.00", "coap.request.ended"),
        Row.Server(
            s => s.Freshness.KeyLifetime, "",
            "the time that a key creates Echo values, which are accepted for at most twice this time", "an old request must not be repeated later",
            "4.01 with a new Echo value", "coap.request.ended"),
        Row.Server(
            s => s.Deduplication.Capacity, "messages",
            "received messages that one lane remembers", "about 1,000 messages per second for 247 s",
            "the oldest answers to GET and FETCH are forgotten first", "coap.deduplication.forgotten"),
        Row.Server(
            s => s.Deduplication.AnswerBufferSize, "bytes",
            "answers that one lane keeps for duplicates", "32 bytes for each message, because most answers are small",
            "the oldest answers to GET and FETCH are forgotten first", "coap.deduplication.forgotten"),
        Row.Server(
            s => s.Deduplication.MaxAnswerSize, "bytes",
            "one answer that is kept for duplicates", "larger ones would displace many others",
            "the answer is not kept"),
        Row.Server(
            s => s.Udp.ReceiveBufferSize, "bytes",
            "datagrams of one socket that the system holds", "the default of Linux loses datagrams in bursts",
            "the system drops datagrams", "coap.datagram.overflow"),
        Row.Server(
            s => s.Udp.MaxReceiveSize, "bytes",
            "one received datagram", "the largest that UDP can carry",
            "the datagram is dropped", "coap.datagram.oversized"),
        Row.Server(
            s => s.ShutdownTimeout, "",
            "the time that an orderly shutdown waits for handlers and peers", "a slow peer must not keep the process alive",
            "open requests are dropped", "coap.request.ended"),
    ];
}
