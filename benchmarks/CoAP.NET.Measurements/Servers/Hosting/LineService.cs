using System.Net;
using System.Net.Sockets;
using CoAP.Measurements.Serving;

namespace CoAP.Measurements.Servers.Hosting;

/// <summary>The line protocol on bare sockets: each line comes back reversed. What a model costs without any protocol.</summary>
internal sealed class LineService : IService
{
    private const int Backlog = 4096;

    private readonly Socket _listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly ServerModel _model;
    private readonly LoopThread? _loop;

    private LineService(ServerModel model)
    {
        _model = model;
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _listener.Listen(Backlog);
        if (model == ServerModel.Single) { _loop = new LoopThread(); }
    }

    public IEnumerable<string> Addresses => [$"tcp {((IPEndPoint)_listener.LocalEndPoint!).Port}"];

    public static Task<IService> StartAsync(IReadOnlyDictionary<string, string> values)
    {
        var model = Enum.Parse<ServerModel>(values["model"]);

        // One thread means one: the engine's own hands readiness to the loop itself, instead of by way of the thread pool.
        if (model == ServerModel.Single) { Environment.SetEnvironmentVariable("DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS", "1"); }
        var service = new LineService(model);
        service.Begin();
        return Task.FromResult<IService>(service);
    }

    public ValueTask DisposeAsync()
    {
        _listener.Dispose();
        return ValueTask.CompletedTask;
    }

    private void Begin()
    {
        switch (_model)
        {
            case ServerModel.Single: _loop!.Begin(AcceptAsync); break;
            case ServerModel.Threads: new Thread(Accept) { IsBackground = true, Name = "acceptor" }.Start(); break;
            default: _ = AcceptAsync(); break;
        }
    }

    private async Task AcceptAsync()
    {
        while (true) { _ = LineConnection.ServeAsync(await _listener.AcceptAsync()); }
    }

    private void Accept()
    {
        const int StackSize = 256 << 10;
        while (true)
        {
            var socket = _listener.Accept();
            new Thread(() => LineConnection.Serve(socket), StackSize) { IsBackground = true, Name = "connection" }.Start();
        }
    }
}
