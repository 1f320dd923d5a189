namespace CoAP.Benchmarks.Load;

/// <summary>An attempt to use up a limit that all peers share, or the time of a thread that they share.</summary>
/// <param name="Name">What it is aimed at, and the kind of attacker.</param>
/// <param name="What">What the attacker sends.</param>
/// <param name="Run">Attacks for some time on one thread.</param>
internal sealed record LedgerAttack(string Name, string What, Func<Target, TimeSpan, Sent> Run)
{
    private static readonly Pace[] Once = [Pace.Fast];

    public static IReadOnlyList<LedgerAttack> All { get; } =
    [
        new("reflector-forged", "registers from a victim's address, sends 65,536 blind ACKs, then asks for large bodies", Reflector.Run) { Paces = Once },
        new("requests-forged", "GET /slow?ms=60000", ForgedFlood.Requests) { Errand = Errand.Wait },
        new("requests-verified", "GET /slow?ms=60000 from 16 addresses", VerifiedFlood.Requests) { Errand = Errand.Wait },
        new("requests-connections", "140 connections that send 1,000 times GET /slow?ms=60000 and close", StandingRequests.Slow) { Errand = Errand.Wait },
        new("handlers-forged", "GET for a handler of 20 ms", ForgedFlood.Handlers) { Errand = Errand.Meet, NeedsOwnServer = true },
        new("handlers-verified", "the same from 16 addresses", VerifiedFlood.Handlers) { Errand = Errand.Meet, NeedsOwnServer = true },
        new("handlers-connections", "100 connections that pipeline the same", Pipelines.Working) { Errand = Errand.Meet, NeedsOwnServer = true },
        new("bodies-forged", "GET /large?size=60000 with Q-Block2", ForgedFlood.Bodies) { Errand = Errand.Transfer },
        new("bodies-verified", "the same from 16 addresses", VerifiedFlood.Bodies) { Errand = Errand.Transfer },
        new("bodies-ports", "first blocks of POST /echo from 500 ports of one address", VerifiedFlood.Blocks) { Errand = Errand.Transfer },
        new("bodies-connections", "150 connections with 16 unfinished uploads each", StandingRequests.Uploads) { Errand = Errand.Transfer },
        new("tags-forged", "GET with an ETag for a representation of 4 MiB", ForgedFlood.Tags) { NeedsOwnServer = true },
        new("tags-verified", "the same from 16 addresses", VerifiedFlood.Tags) { NeedsOwnServer = true },
        new("paths-forged", "GET with a path of 32,000 or 550 segments", LongPaths.Run),
        new("paths-connections", "16 connections that pipeline GET with a path of 20,000 segments", Signals.LongPaths),
        new("held-verified", "blocks of 16 bytes of one upload", HeldPath.Upload) { Errand = Errand.Change, NeedsOwnServer = true },
        new("held-forged", "the same, and with each block a forged DELETE of the same path", HeldPath.UploadAndDelete) { Errand = Errand.Meet, NeedsOwnServer = true },
        new("repeats-forged", "POST, between a POST of 16 addresses and its repetition", RepeatedRequests.Run) { NeedsOwnServer = true },
        new("readers-forged", "first blocks for a handler that blocks in its reads, 200 or 8 a second", ForgedFlood.Readers) { Errand = Errand.Read, NeedsOwnServer = true },
        new("readers-verified", "the same from 16 addresses", VerifiedFlood.Readers) { Errand = Errand.Read, NeedsOwnServer = true },
        new("readers-connections", "100 connections with one such block each", StandingRequests.Readers) { Errand = Errand.Read, NeedsOwnServer = true },
        new("handshakes-forged", "ClientHellos for DTLS without a cookie", ForgedFlood.Hellos) { Errand = Errand.Secure },
        new("handshakes-verified", "half-open DTLS handshakes from 16 addresses", HalfOpenSessions.Run) { Errand = Errand.Secure },
        new("handshakes-connections", "1,000 half-open TLS handshakes", StandingRequests.Handshakes) { Errand = Errand.Handshake },
        new("turns-large-10", "10 connections that pipeline GET /large?size=60000", Pipelines.Large10),
        new("turns-large-96", "96 such connections", Pipelines.Large96) { Paces = Once },
        new("turns-large-400", "400 such connections", Pipelines.Large400) { Paces = Once },
        new("turns-hello-900", "900 connections that pipeline GET /hello", Pipelines.Hello900),
        new("turns-csm-200", "200 connections that send CSMs", Signals.Csm),
        new("turns-ping-200", "200 connections that send Pings", Signals.Ping),
        new("turns-empty-200", "200 connections that send Empty messages", Signals.Empty),
        new("observers-forged", "registrations for /time", ForgedFlood.Observers) { Errand = Errand.Observe },
        new("observers-verified", "the same from 16 addresses", VerifiedFlood.Observers) { Errand = Errand.Observe },
        new("observers-connections", "100 connections with 1,000 registrations each", StandingRequests.Observers) { Errand = Errand.Observe },
        new("tokens-forged", "registrations for /time, whose tokens have equal halves", ForgedFlood.Tokens) { Errand = Errand.Observe },
        new("tokens-verified", "the same from one address, 50,000 tokens again and again", VerifiedFlood.Tokens) { Errand = Errand.Observe },
        new("logs-forged", "GET for a handler that throws", ForgedFlood.Throwing) { Errand = Errand.Fail, NeedsOwnServer = true },
        new("logs-verified", "the same from 16 addresses", VerifiedFlood.Throwing) { Errand = Errand.Fail, NeedsOwnServer = true },
        new("logs-connections", "100 connections that pipeline the same", Pipelines.Throwing) { Errand = Errand.Fail, NeedsOwnServer = true },
    ];

    /// <summary>The request of honest peers that needs the limit under attack. Default: none besides GET /hello.</summary>
    public Errand? Errand { get; private init; }

    /// <summary>How fast the attacker sends, in one run each. Default: fast, and slowly.</summary>
    public IReadOnlyList<Pace> Paces { get; private init; } = [Pace.Fast, Pace.Slow];

    /// <summary>Whether the sample server has no resource for the attack, so that a server of this program is attacked.</summary>
    public bool NeedsOwnServer { get; private init; }

    /// <summary>Whether datagrams come from forged or verified addresses. Otherwise the attacker opens connections.</summary>
    public bool IsByDatagrams => Group != "turns" && !Name.EndsWith("-connections", StringComparison.Ordinal);

    /// <summary>The name without the kind of attacker.</summary>
    public string Group => Name.Split('-')[0];
}
