namespace CoAP.Benchmarks.Load;

/// <summary>Requests from a few addresses that return the Echo value of the server, as an honest client does.</summary>
internal static class VerifiedFlood
{
    private const int Addresses = 16, Ports = 500;

    public static Sent Requests(Target target, TimeSpan time) => Send(target, AttackRequests.Slow, target.FloodRate, time);

    public static Sent Bodies(Target target, TimeSpan time) => Send(target, AttackRequests.LargeRobust, target.FloodRate * ForgedFlood.BodyShare, time);

    public static Sent Readers(Target target, TimeSpan time) =>
        Send(target, AttackRequests.FirstBlock(RequestCode.Put, "blocking"), ForgedFlood.ReadersPerSecond, time);

    public static Sent Observers(Target target, TimeSpan time) => Send(target, AttackRequests.Registration, target.FloodRate, time);

    public static Sent Throwing(Target target, TimeSpan time) => Send(target, AttackRequests.Throwing, target.FloodRate, time);

    /// <summary>The attacker has one address and many ports.</summary>
    public static Sent Blocks(Target target, TimeSpan time) =>
        Send(target, AttackRequests.FirstBlock(RequestCode.Post, "echo"), target.FloodRate * ForgedFlood.BodyShare, time, addresses: 1, Ports);

    private static Sent Send(Target target, CoapMessage request, double rate, TimeSpan time, int addresses = Addresses, int ports = Addresses)
    {
        var sources = Enumerable.Range(0, ports).Select(number => new VerifiedSource(target.PortOf("udp"), number % addresses)).ToArray();
        foreach (var source in sources) { source.Prepare(request); }
        var count = Attack.AtRate(rate, time, number => sources[number % sources.Length].Send());
        var verified = sources.Count(static source => source.IsVerified);
        foreach (var source in sources) { source.Dispose(); }
        return new(count, verified == sources.Length ? "" : $"Echo values for {verified} of {sources.Length} ports");
    }
}
