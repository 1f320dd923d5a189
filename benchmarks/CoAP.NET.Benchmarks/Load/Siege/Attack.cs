using CoAP.Tool.LoadEngine;

namespace CoAP.Benchmarks.Load;

/// <summary>Where the server listens, the connections and handshakes a second that are dropped, and the connections that are held at the same time.</summary>
internal sealed record Target(ServiceValues Addresses, double FloodRate, double HandshakeRate, int Standing)
{
    /// <summary>The messages a second of a slow attack.</summary>
    public const double SlowRate = 60;

    /// <summary>How fast the attacker sends. A siege is always fast.</summary>
    public Pace Pace { get; init; }

    /// <summary>The time limits of the server.</summary>
    public TimeSpan Patience { get; } = TimeSpan.FromSeconds(Addresses.Number("patience"));

    public int PortOf(string transport) => (int)Addresses.Number(transport);

    /// <summary>Returns the messages a second: a fast rate, or a slow one.</summary>
    public double RateOf(double fast, double slow = SlowRate) => Pace == Pace.Fast ? fast : slow;
}

/// <summary>One kind of bad client. Runs for some time on one thread, and returns the number of connections or datagrams.</summary>
internal sealed record Attack(string Name, string What, Func<Target, TimeSpan, int> Run)
{
    public static IReadOnlyList<Attack> All { get; } =
    [
        new("garbage", "malformed frames after a CSM, each on a new connection", Garbage.OpenConnections),
        new("datagrams", "random and malformed datagrams", Garbage.SendDatagrams),
        new("silent", "connections that never send a CSM", Standing.SayNothing),
        new("half-open", "peers that vanish silently after their CSM", Standing.Vanish) { IsRehearsed = false },
        new("drip", "a byte each 100 ms of a message of 60 kB", Standing.Drip) { IsRehearsed = false },
        new("unread", "large answers that are requested and never read", Standing.NeverRead),
        new("reset", "connections opened and reset", Floods.Reset),
        new("fin", "connections opened and closed", Floods.Close),
        new("csm", "connections reset after a CSM and a request", Floods.ResetAfterCsm),
        new("unix", "local connections opened and closed", Floods.CloseUnix),
        new("tls", "TLS handshakes broken off in four ways", Floods.BreakHandshake),
        new("websocket", "upgrades to WebSocket that are dropped or wrong", Floods.BreakUpgrade),
    ];

    /// <summary>Whether the attack runs once before it is measured, because its first run compiles code or grows tables.</summary>
    public bool IsRehearsed { get; private init; } = true;

    /// <summary>A complete frame that asks for a resource.</summary>
    public static byte[] FrameOf(string path) => new LoadSettings { Server = new IPEndPoint(IPAddress.Loopback, 0), IsTcp = true, Path = path }.ToShape().Bytes;

    /// <summary>Calls the action at an even rate, at least once, and returns the number of calls. Gives up the last ones after twice the time on a busy machine.</summary>
    public static int AtRate(double perSecond, TimeSpan time, Action<int> act)
    {
        var start = Clock.Now;
        var end = start + (2 * Clock.ToNanoseconds(time));
        var count = Math.Max(1, (int)(time.TotalSeconds * perSecond));
        for (var at = 0; at < count; at++)
        {
            var due = start + (long)(at * Clock.Second / perSecond);
            if (due > Clock.Now) { Clock.SleepUntil(due); }
            if (at > 0 && Clock.Now > end) { return at; }
            act(at);
        }
        return count;
    }

    /// <summary>Opens a connection from one of several addresses, so that ports do not run out.</summary>
    public static Socket Connect(int port, int number)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        socket.Bind(new IPEndPoint(new IPAddress([127, 0, 0, (byte)(2 + (number % 32))]), 0));
        socket.Connect(IPAddress.Loopback, port);
        return socket;
    }

    /// <summary>Closes with a TCP reset.</summary>
    public static void Reset(Socket socket)
    {
        socket.LingerState = new LingerOption(true, 0);
        socket.Dispose();
    }

    /// <summary>Reads CSM, Pings and an Abort until the server closes, or nothing comes for a while.</summary>
    public static void ReadToEnd(Socket socket, TimeSpan patience)
    {
        socket.ReceiveTimeout = (int)patience.TotalMilliseconds;
        var buffer = new byte[256];
        while (socket.Receive(buffer, SocketFlags.None, out var error) > 0 && error == SocketError.Success)
        {
            // The content does not matter.
        }
    }

    /// <summary>Sends bytes. The server may have closed the connection.</summary>
    public static void Send(Socket socket, ReadOnlySpan<byte> bytes) => socket.Send(bytes, SocketFlags.None, out _);
}
