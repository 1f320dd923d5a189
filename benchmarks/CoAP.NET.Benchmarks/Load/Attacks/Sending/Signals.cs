using CoAP.Tool.LoadEngine;

namespace CoAP.Benchmarks.Load;

/// <summary>Connections of one address that send one message without end.</summary>
internal static class Signals
{
    private const int Connections = 200, MessagesAtOnce = 2048, LongPathConnections = 16, Segments = 20_000;
    private const long Opening = 2 * Clock.Second;

    public static Sent Csm(Target target, TimeSpan time) => Spam(target, time, Connections, [0x00, 0xE1]);

    public static Sent Ping(Target target, TimeSpan time) => Spam(target, time, Connections, [0x00, 0xE2]);

    public static Sent Empty(Target target, TimeSpan time) => Spam(target, time, Connections, [0x00, 0x00]);

    public static Sent LongPaths(Target target, TimeSpan time) =>
        Spam(target, time, LongPathConnections, AttackRequests.LongPath(Segments).ToFrame(0));

    private static Sent Spam(Target target, TimeSpan time, int count, byte[] message)
    {
        byte[] bytes = [.. StreamFrame.Csm, .. Enumerable.Repeat(message, Math.Max(1, MessagesAtOnce * 2 / message.Length)).SelectMany(static one => one)];
        if (target.Pace == Pace.Slow) { return Trickle.Run(target, "tcp", count, time, message.Length, bytes); }
        var end = Clock.Now + Clock.ToNanoseconds(time);
        var connections = Enumerable.Range(0, count).Select(_ => new Connection(target.PortOf("tcp"), bytes)).ToArray();
        var sent = 0L;
        // A short attack may be over before its connections are open.
        while (Clock.Now < end || (sent == 0 && Clock.Now < end + Opening))
        {
            var turn = connections.Sum(static connection => connection.Turn(repeats: true));
            sent += turn;
            if (turn == 0) { Clock.SleepUntil(Clock.Now + Clock.Millisecond); }
        }
        foreach (var connection in connections) { connection.Dispose(); }
        return new(sent / message.Length);
    }
}
