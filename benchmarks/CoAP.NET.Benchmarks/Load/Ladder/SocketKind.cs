namespace CoAP.Benchmarks.Load;

/// <summary>UDP, TCP, or a local socket. A datagram is empty. A stream needs one byte to hand over.</summary>
internal sealed record SocketKind(string Name, AddressFamily Family, SocketType Type, ProtocolType Protocol)
{
    public static SocketKind Udp { get; } = new("udp", AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);

    public static SocketKind Tcp { get; } = new("tcp", AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);

    public static SocketKind Unix { get; } = new("unix", AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);

    public bool IsStream => Type == SocketType.Stream;

    /// <summary>The bytes that are handed over.</summary>
    public int Length => IsStream ? 1 : 0;

    public static SocketKind Of(string name) => name switch { "udp" => Udp, "tcp" => Tcp, _ => Unix };

    public Socket Listen(string address)
    {
        var socket = new Socket(Family, Type, Protocol);
        socket.Bind(Family == AddressFamily.Unix ? new UnixDomainSocketEndPoint(address) : new IPEndPoint(IPAddress.Parse(address), 0));
        if (IsStream) { socket.Listen(); }
        return socket;
    }

    public Socket Connect(string address)
    {
        var socket = new Socket(Family, Type, Protocol);
        socket.Connect(Family == AddressFamily.Unix ? new UnixDomainSocketEndPoint(address) : IPEndPoint.Parse(address));
        if (Protocol == ProtocolType.Tcp) { socket.NoDelay = true; }
        return socket;
    }

    /// <summary>Returns the ends of a connected socket whose other end echoes.</summary>
    public Ends Open(Socket socket, bool isAwaited)
    {
        var buffer = new byte[16];
        return isAwaited ? Ends.Await(TurnAsync, socket.Dispose) : Ends.Block(Turn, socket.Dispose);

        void Turn()
        {
            socket.Send(buffer.AsSpan(0, Length));
            if (socket.Receive(buffer) != Length) { throw new InvalidOperationException("Something else came back."); }
        }

        // Sending completes at once, because there is room for one.
        ValueTask<int> TurnAsync()
        {
            var sending = socket.SendAsync(buffer.AsMemory(0, Length));
            if (!sending.IsCompletedSuccessfully || sending.Result != Length) { throw new InvalidOperationException("The socket has no room for one."); }
            return socket.ReceiveAsync(buffer.AsMemory());
        }
    }
}
