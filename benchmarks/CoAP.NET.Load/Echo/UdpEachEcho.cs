using System.Net;
using System.Net.Sockets;

namespace CoAP.Load.Echo;

/// <summary>A thread that receives and answers one datagram with a call each.</summary>
internal static class UdpEachEcho
{
    private const int Largest = 2048;

    /// <summary>Serves until the socket is disposed of.</summary>
    public static void Run(Socket socket)
    {
        var from = new SocketAddress(socket.AddressFamily);
        Span<byte> input = new byte[Largest], output = new byte[BareAnswer.Longest];
        try
        {
            while (true)
            {
                var length = BareAnswer.ToDatagram(input[..socket.ReceiveFrom(input, SocketFlags.None, from)], output);
                if (length > 0) { socket.SendTo(output[..length], SocketFlags.None, from); }
            }
        }
        catch (Exception end) when (end is SocketException or ObjectDisposedException)
        {
            // The socket was disposed of.
        }
    }
}
