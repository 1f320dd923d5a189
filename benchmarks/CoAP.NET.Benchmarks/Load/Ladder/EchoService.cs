namespace CoAP.Benchmarks.Load;

/// <summary>The other end of a socket, in another process: sends back what it receives. The question "meet ADDRESS" starts it after a socket has connected from there.</summary>
internal sealed class EchoService(ServiceValues values) : IService
{
    private readonly SocketKind _kind = SocketKind.Of(values["kind"]);
    private readonly Socket _listener = SocketKind.Of(values["kind"]).Listen(values["address"]);
    private readonly byte[] _buffer = new byte[16];

    public IEnumerable<string> Addresses => [$"address {_listener.LocalEndPoint}"];

    public static Task<IService> StartAsync(ServiceValues values) => Task.FromResult<IService>(new EchoService(values));

    public string Answer(string question)
    {
        var socket = _kind.IsStream ? _listener.Accept() : _listener;
        if (_kind.Protocol == ProtocolType.Tcp) { socket.NoDelay = true; }
        if (!_kind.IsStream) { socket.Connect(IPEndPoint.Parse(question.Split(' ')[1])); }
        _ = values["awaited"] == "True" ? EchoAsync(socket) : Task.Factory.StartNew(() => Echo(socket), TaskCreationOptions.LongRunning);
        return "met";
    }

    public ValueTask DisposeAsync()
    {
        _listener.Dispose();
        return ValueTask.CompletedTask;
    }

    private void Echo(Socket socket)
    {
        while (socket.Receive(_buffer) is var count && (count > 0 || !_kind.IsStream)) { socket.Send(_buffer.AsSpan(0, count)); }
    }

    private async Task EchoAsync(Socket socket)
    {
        while (await socket.ReceiveAsync(_buffer.AsMemory()) is var count && (count > 0 || !_kind.IsStream)) { await socket.SendAsync(_buffer.AsMemory(0, count)); }
    }
}
