using NetMQ;
using NetMQ.Sockets;

namespace CoAP.Benchmarks.Load;

/// <summary>Hand-offs by ZeroMQ, as in the document: a pair of its sockets, within a process or over TCP. NetMQ is ZeroMQ in C#; it has no local sockets.</summary>
internal static class ZeroMq
{
    private static int _count;

    /// <summary>Both ends are threads of this process. The other end gets its own.</summary>
    public static Ends Within(Placement placement)
    {
        var address = $"inproc://ladder-{Interlocked.Increment(ref _count)}";
        var echoing = new PairSocket();
        echoing.Bind(address);
        var socket = new PairSocket();
        socket.Connect(address);
        return Ends.Block(() => Turn(socket), () => End(socket), () => Echo(echoing), placement);
    }

    /// <summary>Returns the end of a socket whose other end echoes in another process.</summary>
    public static Ends Across(string address)
    {
        var socket = new PairSocket();
        socket.Connect($"tcp://{address}");
        return Ends.Block(() => Turn(socket), () => End(socket));
    }

    /// <summary>Starts the other end in this process and returns its address.</summary>
    public static string Serve(string host)
    {
        var echoing = new PairSocket();
        var port = echoing.BindRandomPort($"tcp://{host}");
        Task.Factory.StartNew(() => Echo(echoing), TaskCreationOptions.LongRunning);
        return $"{host}:{port}";
    }

    private static void Turn(PairSocket socket)
    {
        socket.SendFrameEmpty();
        if (socket.ReceiveFrameBytes().Length > 0) { throw new InvalidOperationException("Something else came back."); }
    }

    // A frame of one byte ends the echo.
    private static void End(PairSocket socket)
    {
        socket.SendFrame([0]);
        socket.Dispose();
    }

    private static void Echo(PairSocket socket)
    {
        using (socket)
        {
            while (socket.ReceiveFrameBytes().Length == 0) { socket.SendFrameEmpty(); }
        }
    }
}
