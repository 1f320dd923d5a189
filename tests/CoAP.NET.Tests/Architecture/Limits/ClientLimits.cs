namespace CoAP.Tests.Architecture.Limits;

/// <summary>The limits on what servers can make a client wait for and store.</summary>
internal static class ClientLimits
{
    private const string Failed = "coap.request.failed";
    private const string TimesOut = "`CoapTimeoutException`";
    private const string IsBusy = "`CoapBusyException`";

    public static IReadOnlyList<Limit> Calls { get; } =
    [
        Row.Client(
            s => s.Timeout, "",
            "the duration of a whole call", "the other limits end every call, and transfers may take long",
            TimesOut, Failed)
            with { Special = ("no limit", null) },
        Row.Client(
            s => s.RequestIdleTimeout, "",
            "the time without progress of a call", "MAX_TRANSMIT_WAIT of RFC 7252, and 10 s",
            TimesOut, Failed),
        Row.Client(
            s => s.ResponseTimeout, "",
            "the time from the acknowledgement to the response", "EXCHANGE_LIFETIME of RFC 7252",
            TimesOut, Failed),
        Row.Client(
            s => s.ClientTransfers.MinRate, "bytes/s",
            "the lowest rate of a body, which may fall behind by at most `RateWindow`", "even narrow-band networks are faster",
            TimesOut, Failed),
        Row.Client(
            s => s.MaxQueuedRequests, "requests",
            "requests to one peer that wait because of NSTART", "a silent peer must not fill the memory",
            IsBusy, Failed),
        Row.Client(
            s => s.MaxMessageIdWait, "",
            "the time that a request waits for a free message ID", "a longer wait would look like a failure",
            IsBusy, Failed),
        Row.Client(
            s => s.MaxLocalPorts, "ports",
            "the local ports that requests to one peer leave from; each has 64,512 message IDs in 247 s", "each port is a socket",
            IsBusy, Failed),
        Row.Client(
            s => s.MaxMulticastRequests, "requests",
            "multicast requests that wait for responses", "each collects responses of an unknown number of servers",
            IsBusy),
        Row.Client(
            s => s.Multicast.MaxQueuedAnswers, "responses",
            "responses of a group that the caller has not read", "anyone on the network may respond",
            "the answers end with `CoapBusyException`", "coap.multicast.answers_dropped"),
        Row.Client(
            s => s.ClientObservations.MaxQueuedNotifications, "notification",
            "notifications that the reader has not read", "only the newest state matters",
            "the oldest is skipped"),
        Row.Client(
            s => s.Tcp.ConnectTimeout, "",
            "the time to open a connection", "enough for lost packets on slow networks",
            "`CoapTransportException`; `CoapSecurityException` during the TLS handshake"),
        Row.Client(
            s => s.Reconnect.MaxRequestWait, "",
            "the time that a request waits for the next attempt to connect", "enough for the restart of a server",
            "`CoapTransportException` with `RetryAfter`"),
        Row.Client(
            s => s.Reconnect.MaxRememberedEndpoints, "endpoints",
            "endpoints whose failures are remembered", "an Alternative-Address may name any number",
            "the endpoint whose wait ends first is forgotten"),
        Row.Of<StatelessTokenSettings>(
            s => s.Lifetime, "",
            "the age of the token of a stateless request", "EXCHANGE_LIFETIME of RFC 7252",
            "the response is dropped", "coap.unmatched"),
        Row.Of<StatelessTokenSettings>(
            s => s.ReplayWindow, "tokens",
            "the newest tokens that are accepted, each once", "they take 512 bytes",
            "the response is dropped", "coap.unmatched"),
    ];

    public static IReadOnlyList<Limit> Bodies { get; } =
    [
        Row.Client(
            s => s.ClientTransfers.MaxResponseBody, "bytes",
            "one response body that is collected in memory", "larger bodies go to a `BodyTarget`",
            "`CoapTransferException`", Failed),
        Row.Client(
            s => s.ClientTransfers.MaxTotalResponseSize, "bytes",
            "unfinished response bodies of all calls", "many servers together must not fill the memory",
            "`CoapTransferException`", Failed),
        Row.Client(
            s => s.ClientTransfers.MaxRestarts, "times",
            "restarts of a transfer because the representation has changed", "a resource that changes all the time would never end",
            "`CoapTransferException`", Failed),
        Row.Client(
            s => s.MaxDiscoveredLinks, "links",
            "links of one endpoint that `DiscoverAsync` reads, including wrong ones", "a link takes far more memory than its text",
            "`CoapTransferException`; further links of a group member are ignored"),
        Row.Of<ResponseCacheSettings>(
            s => s.MaxEntries, "responses",
            "stored responses", "enough for the resources of many devices",
            "the least recently used is replaced"),
        Row.Of<ResponseCacheSettings>(
            s => s.MaxBytes, "bytes",
            "bytes of stored responses", "16 KiB for each response",
            "the least recently used is replaced; a single larger response is not stored"),
        Row.Of<ResponseCacheSettings>(
            s => s.MaxErrorAge, "",
            "the time for which a stored error is reused", "a client that does not ask never learns that the error has gone",
            "the client asks again"),
    ];
}
