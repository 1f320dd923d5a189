namespace CoAP.Benchmarks.Load;

/// <summary>Requests from forged addresses, each from another one.</summary>
internal static class ForgedFlood
{
    /// <summary>Requests that make the server create a body come at a tenth of the rate, because one costs as much as many small ones.</summary>
    public const double BodyShare = 0.1;

    /// <summary>The readers a second: a multiple of the threads that the server has for handlers, and as many as it has.</summary>
    public const double ReadersPerSecond = 200, SlowReadersPerSecond = 8;

    public static Sent Requests(Target target, TimeSpan time) => Send(target, AttackRequests.Slow, target.RateOf(target.FloodRate), time);

    public static Sent Handlers(Target target, TimeSpan time) => Send(target, AttackRequests.Working, target.RateOf(target.FloodRate), time);

    public static Sent Bodies(Target target, TimeSpan time) => Send(target, AttackRequests.LargeRobust, target.RateOf(target.FloodRate * BodyShare), time);

    public static Sent Tags(Target target, TimeSpan time) => Send(target, AttackRequests.Validation, target.RateOf(target.FloodRate * BodyShare), time);

    public static Sent Readers(Target target, TimeSpan time) =>
        Send(target, AttackRequests.FirstBlock(RequestCode.Put, "blocking"), target.RateOf(ReadersPerSecond, SlowReadersPerSecond), time);

    public static Sent Observers(Target target, TimeSpan time) => Send(target, AttackRequests.Registration, target.RateOf(target.FloodRate), time);

    public static Sent Tokens(Target target, TimeSpan time) =>
        Send(target, AttackRequests.LongRegistration, target.RateOf(target.FloodRate), time, Numberings.Collisions);

    public static Sent Throwing(Target target, TimeSpan time) => Send(target, AttackRequests.Throwing, target.RateOf(target.FloodRate), time);

    /// <summary>ClientHellos without a cookie.</summary>
    public static Sent Hellos(Target target, TimeSpan time)
    {
        using var source = new ForgedSource(target.PortOf("dtls"));
        return source.Flood(HalfOpenSessions.Hello([], 0), target.RateOf(target.FloodRate), time, Numberings.Hellos);
    }

    private static Sent Send(Target target, CoapMessage request, double rate, TimeSpan time, Numbering? numbering = null)
    {
        using var source = new ForgedSource(target.PortOf("udp"));
        return source.Flood(request.ToDatagram(), rate, time, numbering ?? Numberings.Tokens);
    }
}
