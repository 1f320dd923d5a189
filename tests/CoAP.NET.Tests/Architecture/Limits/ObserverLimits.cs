namespace CoAP.Tests.Architecture.Limits;

/// <summary>The limits on observers, on unverified addresses, and on members of groups.</summary>
internal static class ObserverLimits
{
    public static IReadOnlyList<Limit> All { get; } =
    [
        Row.Server(
            s => s.ServerObservations.MaxObservations, "observations",
            "observations of all peers", "they take about 100 MB",
            "the request is answered, but not registered; 4.01 with Echo if the address is not verified", "coap.observation.declined", "observations"),
        Row.Server(
            s => s.ServerObservations.MaxNotificationsPerTurn, "notifications",
            "notifications that a lane sends before it serves requests", "many observers must not delay requests",
            "the other notifications wait for the next turn"),
        Row.Server(
            s => s.ServerObservations.UnverifiedTimeout, "",
            "the time that an unverified address observes without a confirmable notification", "forged addresses do not acknowledge",
            "a confirmable notification; the observation ends without an acknowledgement", "coap.answer.unacknowledged"),
    ];

    public static IReadOnlyList<Limit> UnverifiedAddresses { get; } =
    [
        Row.Server(
            s => s.Ledger.UnverifiedShare, "",
            "the part of each shared limit that all unverified addresses hold together", "the rest is for peers that have an account",
            "4.01 with Echo", "coap.ledger.refused"),
        Row.Server(
            s => s.Ledger.MaxUnverifiedDelay, "",
            "the time that a request of an unverified address waits for a handler thread while others of such addresses wait or run",
                "all unverified addresses wait in one queue",
            "4.01 with Echo, also for new requests while the first one in the queue has waited longer than this; no warning",
            "coap.ledger.refused"),
        Row.Server(
            s => s.Amplification.Factor, "times",
            "the ratio of the bytes sent to the bytes received", "the server must not amplify attacks",
            "4.01 with Echo to GET and FETCH; shorter responses to other methods", "coap.answer.limited"),
        Row.Server(
            s => s.Amplification.MinAllowance, "bytes",
            "the size up to which a response is always sent", "small responses need no second exchange",
            "`Factor` applies", "coap.answer.limited"),
        Row.Server(
            s => s.Amplification.MaxVerifiedPeers, "addresses",
            "verified addresses that one lane remembers", "they take 1 MiB",
            "an older address, preferably of the same account, has to prove itself again"),
        Row.Server(
            s => s.Amplification.VerificationLifetime, "",
            "the time that an address stays verified", "another device may get the address",
            "the address has to prove itself again"),
    ];

    public static IReadOnlyList<Limit> Groups { get; } =
    [
        Row.Server(
            s => s.Multicast!.MaxPendingAnswers, "responses",
            "responses to groups that wait for the end of their leisure", "a burst of requests must not fill the memory",
            "the response is dropped", "coap.dropped", "group answers"),
    ];
}
