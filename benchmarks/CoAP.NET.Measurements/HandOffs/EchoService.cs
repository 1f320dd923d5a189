using System.Net;
using System.Net.Sockets;
using CoAP.Measurements.HandOffs.Rungs;
using CoAP.Measurements.Serving;

namespace CoAP.Measurements.HandOffs;

/// <summary>The other end of a socket, in a process of its own: sends back what comes.</summary>
internal sealed class EchoService : IService
{
    private readonly SocketKind _kind;
    private readonly Socket _listener;

    private EchoService(IReadOnlyDictionary<string, string> values)
    {
        _kind = SocketKind.Of(values["kind"]);
        _listener = _kind.Listen(values["address"]);
        if (values["awaited"] == "true") { _ = Task.Run(EchoAsync); }
        else { new Thread(Echo) { IsBackground = true, Name = "echo" }.Start(); }
    }

    public IEnumerable<string> Addresses => [$"address {_kind.AddressOf(_listener)}"];

    public static Task<IService> StartAsync(IReadOnlyDictionary<string, string> values) => Task.FromResult<IService>(new EchoService(values));

    public ValueTask DisposeAsync()
    {
        _listener.Dispose();
        return ValueTask.CompletedTask;
    }

    private void Echo()
    {
        var buffer = new byte[16];
        try
        {
            using var socket = Meet(buffer);
            while (socket.Receive(buffer) is var count && (count > 0 || _kind.PayloadLength == 0)) { socket.Send(buffer.AsSpan(0, count)); }
        }
        catch (SocketException)
        {
            // The measurement is over.
        }
    }

    private async Task EchoAsync()
    {
        var buffer = new byte[16];
        try
        {
            using var socket = await MeetAsync(buffer);
            while (await socket.ReceiveAsync(buffer.AsMemory()) is var count && (count > 0 || _kind.PayloadLength == 0))
            {
                await socket.SendAsync(buffer.AsMemory(0, count));
            }
        }
        catch (SocketException)
        {
            // The measurement is over.
        }
    }

    // Blocking or awaiting from the first call on: after one awaited call .NET emulates the blocking ones.
    private Socket Meet(byte[] buffer)
    {
        if (_kind.Type == SocketType.Stream) { return WithoutDelay(_listener.Accept()); }
        EndPoint peer = new IPEndPoint(IPAddress.Any, 0);
        var count = _listener.ReceiveFrom(buffer, ref peer);
        _listener.Connect(peer);
        _listener.Send(buffer.AsSpan(0, count));
        return _listener;
    }

    private async Task<Socket> MeetAsync(byte[] buffer)
    {
        if (_kind.Type == SocketType.Stream) { return WithoutDelay(await _listener.AcceptAsync()); }
        var first = await _listener.ReceiveFromAsync(buffer.AsMemory(), new IPEndPoint(IPAddress.Any, 0));
        _listener.Connect(first.RemoteEndPoint);
        await _listener.SendAsync(buffer.AsMemory(0, first.ReceivedBytes));
        return _listener;
    }

    private static Socket WithoutDelay(Socket socket)
    {
        if (socket.AddressFamily != AddressFamily.Unix) { socket.NoDelay = true; }
        return socket;
    }
}
