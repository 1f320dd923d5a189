namespace CoAP.Benchmarks.Load;

/// <summary>Requests from a few addresses that return the Echo value of the server, as an honest client does.</summary>
internal static class VerifiedFlood
{
    // More registrations than an account may hold with other tokens. From then on, each refreshes one.
    private const int Addresses = 16, Ports = 500, CollidingTokens = 50_000;

    public static Sent Requests(Target target, TimeSpan time) => Send(target, AttackRequests.Slow, target.RateOf(target.FloodRate), time);

    public static Sent Handlers(Target target, TimeSpan time) => Send(target, AttackRequests.Working, target.RateOf(target.FloodRate), time);

    public static Sent Bodies(Target target, TimeSpan time) =>
        Send(target, AttackRequests.LargeRobust, target.RateOf(target.FloodRate * ForgedFlood.BodyShare), time);

    public static Sent Tags(Target target, TimeSpan time) =>
        Send(target, AttackRequests.Validation, target.RateOf(target.FloodRate * ForgedFlood.BodyShare), time);

    public static Sent Readers(Target target, TimeSpan time) => Send(
        target, AttackRequests.FirstBlock(RequestCode.Put, "blocking"), target.RateOf(ForgedFlood.ReadersPerSecond, ForgedFlood.SlowReadersPerSecond), time);

    public static Sent Observers(Target target, TimeSpan time) => Send(target, AttackRequests.Registration, target.RateOf(target.FloodRate), time);

    /// <summary>One address has many observations, whose tokens collide, and registers each again and again.</summary>
    public static Sent Tokens(Target target, TimeSpan time) => Send(
        target, AttackRequests.LongRegistration, target.RateOf(target.FloodRate), time, addresses: 1, ports: 1,
        static (datagram, number) => Numberings.Collisions(datagram, number % CollidingTokens));

    public static Sent Throwing(Target target, TimeSpan time) => Send(target, AttackRequests.Throwing, target.RateOf(target.FloodRate), time);

    /// <summary>The attacker has one address and many ports.</summary>
    public static Sent Blocks(Target target, TimeSpan time) => Send(
        target, AttackRequests.FirstBlock(RequestCode.Post, "echo"), target.RateOf(target.FloodRate * ForgedFlood.BodyShare), time, addresses: 1, Ports);

    private static Sent Send(
        Target target, CoapMessage request, double rate, TimeSpan time, int addresses = Addresses, int ports = Addresses, Numbering? numbering = null)
    {
        var sources = Enumerable.Range(0, ports).Select(number => new VerifiedSource(target.PortOf("udp"), number % addresses, numbering)).ToArray();
        foreach (var source in sources) { source.Prepare(request); }
        var count = Attack.AtRate(rate, time, number => sources[number % sources.Length].Send());
        var verified = sources.Count(static source => source.IsVerified);
        foreach (var source in sources) { source.Dispose(); }
        return new(count, verified == sources.Length ? "" : $"Echo values for {verified} of {sources.Length} ports");
    }
}
