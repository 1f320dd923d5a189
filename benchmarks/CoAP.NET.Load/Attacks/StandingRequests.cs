namespace CoAP.Load;

/// <summary>Connections of one address that ask for something, wait, and leave.</summary>
internal static class StandingRequests
{
    private const int Askers = 140, Requests = 512, Uploaders = 150, UploadsEach = 16, Others = 100, HalfOpen = 1000;

    // The beginning of a ClientHello.
    private static readonly byte[] Hello = [22, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3];

    public static Sent Slow(Target target, TimeSpan time) =>
        Hold(target, "tcp", Askers, time, static _ => [.. StreamFrame.Csm, .. Repeat(Requests, AttackRequests.Slow.ToFrame)]);

    public static Sent Observers(Target target, TimeSpan time) =>
        Hold(target, "tcp", Others, time, static _ => [.. StreamFrame.Csm, .. Repeat(Requests, AttackRequests.Registration.ToFrame)]);

    public static Sent Uploads(Target target, TimeSpan time) => Hold(target, "tcp", Uploaders, time, static connection =>
        [.. StreamFrame.Csm, .. Repeat(UploadsEach, number => AttackRequests.FirstBlock(RequestCode.Put, "upload", $"{connection}-{number}").ToFrame(number))]);

    public static Sent Readers(Target target, TimeSpan time) =>
        Hold(target, "tcp", Others, time, static _ => [.. StreamFrame.Csm, .. AttackRequests.FirstBlock(RequestCode.Put, "blocking").ToFrame(1)]);

    public static Sent Handshakes(Target target, TimeSpan time) => Hold(target, "tls", HalfOpen, time, static _ => Hello);

    private static IEnumerable<byte> Repeat(int count, Func<int, byte[]> frame) => Enumerable.Range(0, count).SelectMany(frame);

    private static Sent Hold(Target target, string transport, int count, TimeSpan time, Func<int, byte[]> bytesOf)
    {
        var end = Clock.Now + Clock.ToNanoseconds(time);
        var connections = new List<Connection>();
        for (var number = 0; number < count; number++) { connections.Add(new Connection(target.PortOf(transport), bytesOf(number))); }
        while (Clock.Now < end)
        {
            foreach (var connection in connections) { connection.Turn(repeats: false); }
            Clock.SleepUntil(Math.Min(end, Clock.Now + (10 * Clock.Millisecond)));
        }
        foreach (var connection in connections) { connection.Dispose(); }
        return new(count);
    }
}
