using CoAP.Tool.LoadEngine;

namespace CoAP.Benchmarks.Load;

/// <summary>Connections of one address that send one short message without end.</summary>
internal static class Signals
{
    private const int Connections = 200, MessagesAtOnce = 2048;
    private const long Opening = 2 * Clock.Second;

    public static Sent Csm(Target target, TimeSpan time) => Spam(target, time, [0x00, 0xE1]);

    public static Sent Ping(Target target, TimeSpan time) => Spam(target, time, [0x00, 0xE2]);

    public static Sent Empty(Target target, TimeSpan time) => Spam(target, time, [0x00, 0x00]);

    private static Sent Spam(Target target, TimeSpan time, byte[] message)
    {
        var end = Clock.Now + Clock.ToNanoseconds(time);
        byte[] bytes = [.. StreamFrame.Csm, .. Enumerable.Repeat(message, MessagesAtOnce).SelectMany(static one => one)];
        var connections = Enumerable.Range(0, Connections).Select(_ => new Connection(target.PortOf("tcp"), bytes)).ToArray();
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
