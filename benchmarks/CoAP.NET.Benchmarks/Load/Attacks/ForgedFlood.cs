namespace CoAP.Benchmarks.Load;

/// <summary>Requests from forged addresses, each from another one.</summary>
internal static class ForgedFlood
{
    /// <summary>Requests that make the server create a body come at a tenth of the rate, because one costs as much as many small ones.</summary>
    public const double BodyShare = 0.1;

    /// <summary>The readers a second: as many as the server has threads for handlers.</summary>
    public const double ReadersPerSecond = 8;

    public static Sent Requests(Target target, TimeSpan time) => Send(target, AttackRequests.Slow, target.FloodRate, time);

    public static Sent Bodies(Target target, TimeSpan time) => Send(target, AttackRequests.LargeRobust, target.FloodRate * BodyShare, time);

    public static Sent Readers(Target target, TimeSpan time) => Send(target, AttackRequests.FirstBlock(RequestCode.Put, "blocking"), ReadersPerSecond, time);

    public static Sent Observers(Target target, TimeSpan time) => Send(target, AttackRequests.Registration, target.FloodRate, time);

    public static Sent Throwing(Target target, TimeSpan time) => Send(target, AttackRequests.Throwing, target.FloodRate, time);

    private static Sent Send(Target target, CoapMessage request, double rate, TimeSpan time)
    {
        using var source = new ForgedSource(target.PortOf("udp"));
        return source.Flood(request, rate, time);
    }
}
