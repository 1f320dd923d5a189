namespace CoAP.Benchmarks.Load;

/// <summary>The number of messages or connections that an attacker sent, and a remark on what it got.</summary>
internal sealed record Sent(long Count, string Remark = "")
{
    public override string ToString() => $"{Count} {Remark}";

    /// <summary>Reads what <see cref="ToString"/> wrote. Anything else is the error of an attacker that failed.</summary>
    public static Sent Parse(string text) => text.Split(' ', 2) is [var count, var remark] && long.TryParse(count, CultureInfo.InvariantCulture, out var number)
        ? new(number, remark)
        : new(0, text);
}

/// <summary>An attempt to use up a limit that all peers share.</summary>
/// <param name="Name">The limit, and the kind of attacker.</param>
/// <param name="What">What the attacker sends.</param>
/// <param name="Run">Attacks for some time on one thread.</param>
internal sealed record LedgerAttack(string Name, string What, Func<Target, TimeSpan, Sent> Run)
{
    public static IReadOnlyList<LedgerAttack> All { get; } =
    [
        new("reflector-forged", "registers from a victim's address, sends 65,536 blind ACKs, then asks for large bodies", Reflector.Run),
        new("requests-forged", "GET /slow?ms=60000", ForgedFlood.Requests) { Errand = Errand.Wait },
        new("requests-verified", "GET /slow?ms=60000 from 16 addresses", VerifiedFlood.Requests) { Errand = Errand.Wait },
        new("requests-connections", "140 connections that send 1,000 times GET /slow?ms=60000 and close", StandingRequests.Slow) { Errand = Errand.Wait },
        new("bodies-forged", "GET /large?size=60000 with Q-Block2", ForgedFlood.Bodies) { Errand = Errand.Transfer },
        new("bodies-verified", "the same from 16 addresses", VerifiedFlood.Bodies) { Errand = Errand.Transfer },
        new("bodies-ports", "first blocks of POST /echo from 500 ports of one address", VerifiedFlood.Blocks) { Errand = Errand.Transfer },
        new("bodies-connections", "150 connections with 16 unfinished uploads each", StandingRequests.Uploads) { Errand = Errand.Transfer },
        new("readers-forged", "8 first blocks a second for a handler that blocks in its reads", ForgedFlood.Readers) { Errand = Errand.Read, NeedsOwnServer = true },
        new("readers-verified", "the same from 16 addresses", VerifiedFlood.Readers) { Errand = Errand.Read, NeedsOwnServer = true },
        new("readers-connections", "100 connections with one such block each", StandingRequests.Readers) { Errand = Errand.Read, NeedsOwnServer = true },
        new("handshakes-connections", "1,000 half-open TLS handshakes", StandingRequests.Handshakes) { Errand = Errand.Handshake },
        new("turns-large-96", "96 connections that pipeline GET /large?size=60000", Pipelines.Large96),
        new("turns-large-400", "400 such connections", Pipelines.Large400),
        new("turns-hello-900", "900 connections that pipeline GET /hello", Pipelines.Hello900),
        new("turns-csm-200", "200 connections that send CSMs", Signals.Csm),
        new("turns-ping-200", "200 connections that send Pings", Signals.Ping),
        new("turns-empty-200", "200 connections that send Empty messages", Signals.Empty),
        new("observers-forged", "registrations for /time", ForgedFlood.Observers) { Errand = Errand.Observe },
        new("observers-verified", "the same from 16 addresses", VerifiedFlood.Observers) { Errand = Errand.Observe },
        new("observers-connections", "100 connections with 1,000 registrations each", StandingRequests.Observers) { Errand = Errand.Observe },
        new("logs-forged", "GET for a handler that throws", ForgedFlood.Throwing) { Errand = Errand.Fail, NeedsOwnServer = true },
        new("logs-verified", "the same from 16 addresses", VerifiedFlood.Throwing) { Errand = Errand.Fail, NeedsOwnServer = true },
        new("logs-connections", "100 connections that pipeline the same", Pipelines.Throwing) { Errand = Errand.Fail, NeedsOwnServer = true },
    ];

    /// <summary>The request of honest peers that needs the limit under attack. Default: none besides GET /hello.</summary>
    public Errand? Errand { get; private init; }

    /// <summary>Whether the sample server has no resource for the attack, so that a server of this program is attacked.</summary>
    public bool NeedsOwnServer { get; private init; }

    /// <summary>Whether datagrams come from forged or verified addresses. Otherwise the attacker opens connections.</summary>
    public bool IsByDatagrams => Group != "turns" && !Name.EndsWith("-connections", StringComparison.Ordinal);

    /// <summary>The name without the kind of attacker.</summary>
    public string Group => Name.Split('-')[0];
}
