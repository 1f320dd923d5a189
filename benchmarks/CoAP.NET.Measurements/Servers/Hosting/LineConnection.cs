using System.Net.Sockets;

namespace CoAP.Measurements.Servers.Hosting;

/// <summary>The same loop twice: awaited and blocking.</summary>
internal static class LineConnection
{
    private const int LongestLine = 256;

    public static async Task ServeAsync(Socket socket)
    {
        using var connection = socket;
        socket.NoDelay = true;
        var buffer = new byte[LongestLine];
        var filled = 0;
        try
        {
            while (await socket.ReceiveAsync(buffer.AsMemory(filled)) is var count and > 0)
            {
                var whole = ReverseLines(buffer.AsSpan(0, filled += count));
                if (whole > 0) { await socket.SendAsync(buffer.AsMemory(0, whole)); }
                buffer.AsSpan(whole, filled -= whole).CopyTo(buffer);
            }
        }
        catch (SocketException)
        {
            // The client has gone.
        }
    }

    public static void Serve(Socket socket)
    {
        using var connection = socket;
        socket.NoDelay = true;
        var buffer = new byte[LongestLine];
        var filled = 0;
        try
        {
            while (socket.Receive(buffer.AsSpan(filled)) is var count and > 0)
            {
                var whole = ReverseLines(buffer.AsSpan(0, filled += count));
                if (whole > 0) { socket.Send(buffer.AsSpan(0, whole)); }
                buffer.AsSpan(whole, filled -= whole).CopyTo(buffer);
            }
        }
        catch (SocketException)
        {
            // The client has gone.
        }
    }

    /// <summary>Reverses each whole line where it stands, and answers how many bytes they take.</summary>
    private static int ReverseLines(Span<byte> bytes)
    {
        var whole = 0;
        while (bytes[whole..].IndexOf((byte)'\n') is var end and >= 0)
        {
            bytes.Slice(whole, end).Reverse();
            whole += end + 1;
        }
        return whole;
    }
}
