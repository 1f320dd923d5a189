using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace CoAP.Load.Echo;

/// <summary>A bare echo as a process of its own.</summary>
internal static class EchoCommand
{
    public const string Batch = "udp-batch", Each = "udp-each", Awaited = "udp-awaited", Pipelines = "tcp-pipe";

    private const int Backlog = 4096, ReceiveBuffer = 4 << 20;

    public static async Task<int> RunAsync(string[] args)
    {
        if (args is not [var text, Batch or Each or Awaited or Pipelines] || !ushort.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var port))
        {
            await Console.Error.WriteLineAsync($"echo PORT {Batch}|{Each}|{Awaited}|{Pipelines}");
            return 2;
        }

        var isTcp = args[1] == Pipelines;
        using var socket = Bind(isTcp, port);
        Console.WriteLine($"listening coap+{(isTcp ? "tcp" : "udp")}://{socket.LocalEndPoint}");
        Console.WriteLine("ready");
        if (isTcp) { await PipelinesEcho.RunAsync(socket); }
        else if (args[1] == Each) { UdpEachEcho.Run(socket); }
        else if (args[1] == Awaited) { await RunAwaitedAsync(socket); }
        else { UdpBatchEcho.Run(socket); }
        return 0;
    }

    private static async Task RunAwaitedAsync(Socket socket)
    {
        var echo = new UdpBatchEcho(socket);
        while (true)
        {
            await socket.ReceiveAsync(Memory<byte>.Empty, SocketFlags.Peek);
            echo.Drain();
        }
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
}
