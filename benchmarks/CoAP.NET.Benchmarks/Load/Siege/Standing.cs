using CoAP.Tool.LoadEngine;

namespace CoAP.Benchmarks.Load;

/// <summary>Connections that are held open and never used properly.</summary>
internal static class Standing
{
    private const int Tcp = 6, TcpRepair = 19, MostUnread = 32, Unread = 64;

    private static readonly long DripInterval = 100 * Clock.Millisecond;
    private static readonly byte[] Large = Attack.FrameOf("large");

    public static int SayNothing(Target target, TimeSpan time) => Hold(target, target.Standing, time, static _ => { });

    public static int Vanish(Target target, TimeSpan time) => Hold(target, target.Standing, time, static socket =>
    {
        Attack.Send(socket, StreamFrame.Csm);
        try
        {
            // A socket in repair mode closes silently, like a peer that loses power.
            socket.SetRawSocketOption(Tcp, TcpRepair, [1, 0, 0, 0]);
            socket.Dispose();
        }
        catch (SocketException)
        {
            // Not allowed here: the connection stays open and silent.
        }
    });

    // POST of 60,014 bytes: the length is 269 and 59,745 (RFC 8323, section 3.2).
    public static int Drip(Target target, TimeSpan time) => Hold(
        target, target.Standing, time, static socket => Attack.Send(socket, [.. StreamFrame.Csm, 0xE0, 0xE9, 0x61, 0x02]), static socket => Attack.Send(socket, [0]));

    // The CSM has a Max-Message-Size of 65,535.
    public static int NeverRead(Target target, TimeSpan time)
    {
        var count = Math.Min(MostUnread, target.Standing);
        var held = Open(target, count, static socket =>
        {
            Attack.Send(socket, [.. StreamFrame.Csm, 0x30, 0xE1, 0x22, 0xFF, 0xFF]);
            for (var request = 0; request < Unread; request++) { Attack.Send(socket, Large); }
        });
        Clock.SleepUntil(Clock.Now + Clock.ToNanoseconds(time));
        held.ForEach(Attack.Reset);
        return count;
    }

    private static int Hold(Target target, int count, TimeSpan time, Action<Socket> open, Action<Socket>? act = null)
    {
        var end = Clock.Now + Clock.ToNanoseconds(time);
        var held = Open(target, count, open);
        while (Clock.Now < end)
        {
            Clock.SleepUntil(Math.Min(end, Clock.Now + DripInterval));
            if (act is not null) { held.ForEach(act); }
        }
        // The server has to end these connections.
        foreach (var socket in held.Where(static socket => !socket.SafeHandle.IsClosed))
        {
            Attack.ReadToEnd(socket, 3 * target.Patience);
            Attack.Reset(socket);
        }
        return count;
    }

    private static List<Socket> Open(Target target, int count, Action<Socket> open)
    {
        var held = new List<Socket>();
        for (var at = 0; at < count; at++)
        {
            var socket = Attack.Connect(target.PortOf("tcp"), at);
            open(socket);
            held.Add(socket);
        }
        return held;
    }
}
