using System.Net;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>A socket that receives what is sent to a group, by the calls that every system has.</summary>
internal sealed class PortableGroupSocket
{
    private readonly PeerIdentity _answering;
    private readonly TransportCounters _counters;
    private readonly EndPoint _any;

    /// <param name="socket">The socket; owned from now on.</param>
    /// <param name="answeringPort">The port that answers leave from, by another socket.</param>
    /// <param name="counters">What is counted.</param>
    public PortableGroupSocket(Socket socket, ushort answeringPort, TransportCounters counters)
    {
        (Socket, _counters) = (socket, counters);
        socket.Blocking = false;
        _answering = PeerIdentity.FromIPv4(0, answeringPort);
        _any = new IPEndPoint(socket.AddressFamily == AddressFamily.InterNetwork ? IPAddress.Any : IPAddress.IPv6Any, 0);
    }

    public Socket Socket { get; }

    /// <summary>Hands on what is there, at most a batch.</summary>
    public int Receive(IDatagramReceiver receiver, byte[] input, int batchSize)
    {
        var count = 0;
        for (; count < batchSize; count++)
        {
            _counters.SystemCalls++;
            if (!Socket.Poll(0, SelectMode.SelectRead)) { break; }
            _counters.SystemCalls++;
            ReceiveOne(receiver, input);
        }
        return count;
    }

    private void ReceiveOne(IDatagramReceiver receiver, byte[] input)
    {
        var (peer, flags) = (_any, SocketFlags.None);
        try
        {
            var length = Socket.ReceiveMessageFrom(input, ref flags, ref peer, out var packet);
            if (length == input.Length || (flags & SocketFlags.Truncated) != 0)
            {
                _counters.Oversized++;
                return;
            }
            // Where the socket could not be bound to its group, it hears what is sent to addresses that nobody else has bound.
            if (packet.Address is not { } destination || !destination.IsMulticast()) { return; }
            _counters.DatagramsReceived++;
            receiver.OnGroupDatagram(new ChannelKey(PeerIdentity.From((IPEndPoint)peer), _answering), input.AsSpan(0, length));
        }
        catch (SocketException exception)
        {
            if (exception.SocketErrorCode == SocketError.MessageSize) { _counters.Oversized++; }
        }
    }
}
