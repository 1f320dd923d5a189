using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using CoAP.Measurements.Drip;

namespace CoAP.Measurements.Siege.Attacks;

/// <summary>One way of being a bad client. Runs on one thread, at a set rate.</summary>
/// <param name="name">Short, for the command line and the tables.</param>
/// <param name="what">What it does, in words.</param>
internal abstract class Attack(string name, string what)
{
    private static readonly byte[] Never = [];

    public string Name => name;

    public string What => what;

    /// <summary>Whether it has something of its own that is compiled or grows when it comes for the first time.</summary>
    public virtual bool IsRehearsed => true;

    /// <summary>What it needs to know of the server, and how hard it attacks.</summary>
    public required Target Target { get; init; }

    /// <summary>Attacks for some time; answers how many connections or datagrams it was.</summary>
    public abstract int Run(TimeSpan time);

    /// <summary>Does something so many times a second.</summary>
    protected static int AtRate(double perSecond, TimeSpan time, Action<int> act)
    {
        var start = Stopwatch.GetTimestamp();
        var step = Stopwatch.Frequency / perSecond;
        var count = (int)(time.TotalSeconds * perSecond);
        for (var at = 0; at < count; at++)
        {
            var due = start + (long)(at * step);
            if (due > Stopwatch.GetTimestamp()) { Pace.SleepUntil(due); }
            act(at);
        }
        return count;
    }

    /// <summary>A plain connection, from one of several addresses so that ports do not run out.</summary>
    protected static Socket Connect(int port, int number)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        socket.Bind(new IPEndPoint(new IPAddress([127, 0, 0, (byte)(2 + number % 32)]), 0));
        socket.Connect(IPAddress.Loopback, port);
        return socket;
    }

    /// <summary>Closes with a TCP reset.</summary>
    protected static void Reset(Socket socket)
    {
        socket.LingerState = new LingerOption(true, 0);
        socket.Dispose();
    }

    /// <summary>Reads CSM, Pings and an Abort until the server closes, or nothing comes for a while.</summary>
    protected static void ReadToEnd(Socket socket, TimeSpan patience)
    {
        socket.ReceiveTimeout = (int)patience.TotalMilliseconds;
        var buffer = new byte[256];
        while (socket.Receive(buffer, SocketFlags.None, out var error) > 0 && error == SocketError.Success)
        {
            // Whatever it says.
        }
    }

    /// <summary>Sends what the server may not want any more.</summary>
    protected static bool TrySend(Socket socket, ReadOnlySpan<byte> bytes)
    {
        socket.Send(bytes.IsEmpty ? Never : bytes, SocketFlags.None, out var error);
        return error == SocketError.Success;
    }
}

/// <summary>Where the server listens, and how hard it is attacked.</summary>
/// <param name="Addresses">Its ports and paths by the transport's name.</param>
/// <param name="FloodRate">Connections a second that are opened and dropped.</param>
/// <param name="HandshakeRate">Handshakes a second that are broken off.</param>
/// <param name="Standing">Connections that are held at the same time.</param>
internal sealed record Target(IReadOnlyDictionary<string, string> Addresses, double FloodRate, double HandshakeRate, int Standing)
{
    public int PortOf(string transport) => int.Parse(Addresses[transport], System.Globalization.CultureInfo.InvariantCulture);
}
