namespace CoAP.Benchmarks.Load;

/// <summary>A server on bare sockets: the baseline of CoAP servers.</summary>
internal sealed class BareService : IService
{
    // The bytes that an idle connection holds.
    private const int LeastBuffer = 256;

    private const int Backlog = 4096, ReceiveBuffer = 4 << 20;

    private readonly Socket _socket;

    private BareService(Socket socket) => _socket = socket;

    public IEnumerable<string> Addresses => [$"{(_socket.SocketType == SocketType.Stream ? "tcp" : "udp")} {((IPEndPoint)_socket.LocalEndPoint!).Port}"];

    /// <summary>Starts a server of the form "udp", or "tcp-" and a <see cref="ServerModel"/>.</summary>
    public static Task<IService> StartAsync(ServiceValues values)
    {
        var form = values["form"];
        // With one thread, the runtime's engine hands readiness to the loop itself instead of to the thread pool.
        if (form == "tcp-single") { Environment.SetEnvironmentVariable("DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS", "1"); }
        var socket = Bind(form.StartsWith("tcp", StringComparison.Ordinal), (int)values.Number("port"));
        if (form == "udp") { new Thread(() => BareUdp.Run(socket)) { IsBackground = true }.Start(); }
        else { new BareTcp(socket, (int)values.Number("buffer", LeastBuffer)).Start(Enum.Parse<ServerModel>(form["tcp-".Length..], ignoreCase: true)); }
        return Task.FromResult<IService>(new BareService(socket));
    }

    public static Socket Bind(bool isTcp, int port)
    {
        var socket = isTcp
            ? new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
            : new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp) { ReceiveBufferSize = ReceiveBuffer };
        socket.Bind(new IPEndPoint(IPAddress.Loopback, port));
        if (isTcp) { socket.Listen(Backlog); }
        return socket;
    }

    public ValueTask DisposeAsync()
    {
        _socket.Dispose();
        return ValueTask.CompletedTask;
    }
}
