namespace CoAP.Load;

/// <summary>Connections of one address that keep many requests without an answer.</summary>
internal static class Pipelines
{
    private const int Outstanding = 64;

    // The same as that of Connection.
    private static readonly IPAddress Source = new([127, 0, 0, 2]);

    public static Sent Large96(Target target, TimeSpan time) => Run(target, time, 96, "large?size=60000");

    public static Sent Large400(Target target, TimeSpan time) => Run(target, time, 400, "large?size=60000");

    public static Sent Hello900(Target target, TimeSpan time) => Run(target, time, 900, "hello");

    public static Sent Throwing(Target target, TimeSpan time) => Run(target, time, 100, "throwing");

    private static Sent Run(Target target, TimeSpan time, int connections, string path)
    {
        var result = Load.Run(new LoadSettings
        {
            Server = new IPEndPoint(IPAddress.Loopback, target.PortOf("tcp")),
            Source = Source,
            IsTcp = true,
            Sockets = connections,
            Outstanding = Outstanding,
            Path = path,
            WarmUp = TimeSpan.Zero,
            Duration = time,
        });
        return new(result.Tally.Ended, result.Tally.Closed > 0 ? $"{result.Tally.Closed} connections closed" : "");
    }
}
