using System.Net.Sockets;
using CoAP.Measurements.HandOffs.Ends;

namespace CoAP.Measurements.HandOffs.Rungs;

/// <summary>Our end of a socket. A datagram is empty; a stream has to carry one byte, or there is nothing to hand over.</summary>
internal static class Sockets
{
    public static IPair Open(SocketKind kind, Socket socket, bool isAwaited)
    {
        var buffer = new byte[16];
        return isAwaited
            ? new TaskPair<AwaitedTurn>(new AwaitedTurn(socket, buffer, kind.PayloadLength), socket.Dispose)
            : new ThreadPair<BlockingTurn>(new BlockingTurn(socket, buffer, kind.PayloadLength), socket.Dispose);
    }

    private readonly struct BlockingTurn(Socket socket, byte[] buffer, int length) : ITurn
    {
        public void ThereAndBack()
        {
            socket.Send(buffer.AsSpan(0, length));
            if (socket.Receive(buffer) != length) { throw new InvalidOperationException("Something else came back."); }
        }
    }

    private readonly struct AwaitedTurn(Socket socket, byte[] buffer, int length) : IAwaitedTurn
    {
        public ValueTask<int> ThereAndBackAsync()
        {
            // Sending completes at once: there is room for one.
            var sending = socket.SendAsync(buffer.AsMemory(0, length));
            if (!sending.IsCompletedSuccessfully) { throw new InvalidOperationException("The socket has no room for one."); }
            _ = sending.Result;
            return socket.ReceiveAsync(buffer.AsMemory());
        }
    }
}
