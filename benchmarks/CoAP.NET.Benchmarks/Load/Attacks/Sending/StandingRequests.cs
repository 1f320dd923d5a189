using CoAP.Tool.LoadEngine;

namespace CoAP.Benchmarks.Load;

/// <summary>Connections of one address that ask for something, wait, and leave. In the slow form, each sends a request or a byte in turn.</summary>
internal static class StandingRequests
{
    private const int Askers = 140, Requests = 1000, Uploaders = 150, UploadsEach = 16, Others = 100, HalfOpen = 1000;

    // The beginning of a ClientHello.
    private static readonly byte[] Hello = [22, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3];

    public static Sent Slow(Target target, TimeSpan time) =>
        Hold(target, "tcp", Askers, time, AttackRequests.Slow.ToFrame(0).Length, Repeat(Requests, AttackRequests.Slow.ToFrame));

    public static Sent Observers(Target target, TimeSpan time) =>
        Hold(target, "tcp", Others, time, AttackRequests.Registration.ToFrame(0).Length, Repeat(Requests, AttackRequests.Registration.ToFrame));

    public static Sent Uploads(Target target, TimeSpan time) => Hold(target, "tcp", Uploaders, time, piece: 1,
        [.. Enumerable.Range(0, Uploaders).Select(static connection => Repeat(
            UploadsEach, number => AttackRequests.FirstBlock(RequestCode.Put, "upload", $"{connection}-{number}").ToFrame(number)))]);

    public static Sent Readers(Target target, TimeSpan time) =>
        Hold(target, "tcp", Others, time, piece: 1, Repeat(1, AttackRequests.FirstBlock(RequestCode.Put, "blocking").ToFrame));

    public static Sent Handshakes(Target target, TimeSpan time) => Hold(target, "tls", HalfOpen, time, piece: 1, Hello);

    private static byte[] Repeat(int count, Func<int, byte[]> frame) => [.. StreamFrame.Csm, .. Enumerable.Range(0, count).SelectMany(frame)];

    // The connections send these bytes in turn.
    private static Sent Hold(Target target, string transport, int count, TimeSpan time, int piece, params byte[][] bytes)
    {
        if (target.Pace == Pace.Slow) { return Trickle.Run(target, transport, count, time, piece, bytes); }
        var connections = new List<Connection>();
        for (var number = 0; number < count; number++)
        {
            connections.Add(new Connection(target.PortOf(transport), bytes[number % bytes.Length]));
            connections[^1].Turn(repeats: false);
        }
        for (var end = Clock.Now + Clock.ToNanoseconds(time); Clock.Now < end; Clock.SleepUntil(Clock.Now + (10 * Clock.Millisecond)))
        {
            foreach (var connection in connections) { connection.Turn(repeats: false); }
        }
        foreach (var connection in connections) { connection.Dispose(); }
        return new(count);
    }
}
