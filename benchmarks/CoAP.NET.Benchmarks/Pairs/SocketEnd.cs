namespace CoAP.Benchmarks;

/// <summary>One end of a TCP connection over loopback. A thread at the other end takes all bytes, or sends the same bytes forever.</summary>
internal sealed class SocketEnd : IDisposable
{
    private readonly Socket _far;
    private readonly Thread _thread;

    private SocketEnd(Action<Socket> work)
    {
        using var listener = new Socket(SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen(1);
        var near = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        near.Connect(listener.LocalEndPoint!);
        _far = listener.Accept();
        Stream = new NetworkStream(near, ownsSocket: true);
        _thread = new Thread(() => Run(work)) { IsBackground = true, Name = "far end" };
        _thread.Start();
    }

    public NetworkStream Stream { get; }

    public static SocketEnd Draining() => new(static far =>
    {
        var buffer = new byte[1 << 18];
        while (far.Receive(buffer) > 0) { }
    });

    public static SocketEnd Feeding(byte[] bytes) => new(far =>
    {
        while (true) { far.Send(bytes); }
    });

    public void Dispose()
    {
        Stream.Dispose();
        _thread.Join();
        _far.Dispose();
    }

    private void Run(Action<Socket> work)
    {
        try { work(_far); }
        catch (SocketException)
        {
            // The near end was closed. A run ends this way.
        }
    }
}
