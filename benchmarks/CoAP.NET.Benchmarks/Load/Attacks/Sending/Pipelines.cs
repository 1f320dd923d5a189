namespace CoAP.Benchmarks.Load;

/// <summary>Connections of one address that keep many requests without an answer.</summary>
internal static class Pipelines
{
    private const int Outstanding = 64;

    private static readonly TimeSpan FirstAnswer = TimeSpan.FromSeconds(2);

    // The same as that of Connection.
    private static readonly IPAddress Source = new([127, 0, 0, 2]);

    public static Sent Large10(Target target, TimeSpan time) => Run(target, time, 10, "large?size=60000");

    public static Sent Large96(Target target, TimeSpan time) => Run(target, time, 96, "large?size=60000");

    public static Sent Large400(Target target, TimeSpan time) => Run(target, time, 400, "large?size=60000");

    public static Sent Hello900(Target target, TimeSpan time) => Run(target, time, 900, "hello");

    public static Sent Working(Target target, TimeSpan time) => Run(target, time, 100, "working");

    public static Sent Throwing(Target target, TimeSpan time) => Run(target, time, 100, "throwing");

    private static Sent Run(Target target, TimeSpan time, int connections, string path)
    {
        using var load = new Load(new LoadSettings
        {
            Server = new IPEndPoint(IPAddress.Loopback, target.PortOf("tcp")),
            Source = Source,
            IsTcp = true,
            Sockets = connections,
            Outstanding = Outstanding,
            Rate = target.Pace == Pace.Fast ? null : Target.SlowRate,
            Path = path,
        });
        var result = load.Measure(time);
        // A short attack may be over before the first answer.
        if (result.Tally.Ended == 0) { result = load.Measure(FirstAnswer); }
        return new(result.Tally.Ended, result.Tally.Closed > 0 ? $"{result.Tally.Closed} connections closed" : "");
    }
}
