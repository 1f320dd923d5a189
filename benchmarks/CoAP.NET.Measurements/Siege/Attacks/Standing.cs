using System.Diagnostics;
using System.Net.Sockets;
using CoAP.Measurements.Drip;
using CoAP.Measurements.HandWritten;

namespace CoAP.Measurements.Siege.Attacks;

/// <summary>Connections that are held and of no use to anybody.</summary>
internal sealed class Standing(string name, string what, Standstill kind) : Attack(name, what)
{
    private const int Tcp = 6;
    private const int TcpRepair = 19;
    private const int Unread = 32;
    private static readonly TimeSpan DripInterval = TimeSpan.FromMilliseconds(100);

    public override bool IsRehearsed => kind is Standstill.SaysNothing or Standstill.NeverReads;

    public override int Run(TimeSpan time)
    {
        var end = Stopwatch.GetTimestamp() + (long)(time.TotalSeconds * Stopwatch.Frequency);
        var count = kind == Standstill.NeverReads ? Math.Min(Unread, Target.Standing) : Target.Standing;
        var held = new List<Socket>();
        for (var at = 0; at < count; at++) { held.Add(Open(at)); }
        if (kind == Standstill.Vanishes) { held.ForEach(Vanish); }
        while (Stopwatch.GetTimestamp() < end)
        {
            Pace.SleepUntil(Math.Min(end, Stopwatch.GetTimestamp() + (long)(DripInterval.TotalSeconds * Stopwatch.Frequency)));
            if (kind == Standstill.Drips) { held.ForEach(static socket => TrySend(socket, [0])); }
        }
        held.ForEach(WaitForEnd);
        return count;
    }

    private Socket Open(int number)
    {
        var socket = Connect(Target.PortOf("tcp"), number);
        switch (kind)
        {
            case Standstill.Vanishes:
                TrySend(socket, HandWrittenRequest.Csm);
                break;
            case Standstill.Drips:
                // POST of 60,014 bytes: the length is 269 and 59,745 (RFC 8323, section 3.2).
                TrySend(socket, [.. HandWrittenRequest.Csm, 0xE0, 0xE9, 0x61, 0x02]);
                break;
            case Standstill.NeverReads:
                TrySend(socket, [.. HandWrittenRequest.Csm, 0x30, 0xE1, 0x22, 0xFF, 0xFF]);
                var large = HandWrittenRequest.Frame(HandWrittenRequest.Get, "large").Bytes.Span;
                for (var request = 0; request < 64; request++) { TrySend(socket, large); }
                break;
        }
        return socket;
    }

    // A socket under repair closes without a word, like a peer whose power fails. Who may not do that leaves it open and silent.
    private static void Vanish(Socket socket)
    {
        try
        {
            socket.SetRawSocketOption(Tcp, TcpRepair, [1, 0, 0, 0]);
            socket.Dispose();
        }
        catch (SocketException)
        {
            // Not allowed here.
        }
    }

    // It is the server that has to end what is of no use.
    private void WaitForEnd(Socket socket)
    {
        if (socket.SafeHandle.IsClosed) { return; }
        if (kind != Standstill.NeverReads) { ReadToEnd(socket, 3 * SiegeService.Patience); }
        Reset(socket);
    }
}

/// <summary>What a connection does that does nothing.</summary>
internal enum Standstill { SaysNothing, Vanishes, Drips, NeverReads }
