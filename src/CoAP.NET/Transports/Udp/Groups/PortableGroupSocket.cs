using System.Net;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>A socket that receives multicast datagrams, driven by the calls that every system has.</summary>
internal sealed class PortableGroupSocket
{
    private readonly PeerIdentity _answering;
    private readonly TransportCounters _counters;
    private readonly EndPoint _any;

    /// <param name="socket">The socket. It is owned from now on.</param>
    /// <param name="answeringPort">The port that answers are sent from, by another socket.</param>
    /// <param name="counters">The counters of the transport.</param>
    public PortableGroupSocket(Socket socket, ushort answeringPort, TransportCounters counters)
    {
        (Socket, _counters) = (socket, counters);
        socket.Blocking = false;
        _answering = PeerIdentity.FromIPv4(0, answeringPort);
        _any = new IPEndPoint(socket.AddressFamily == AddressFamily.InterNetwork ? IPAddress.Any : IPAddress.IPv6Any, 0);
    }

    public Socket Socket { get; }

    /// <summary>Delivers waiting datagrams, at most one batch.</summary>
    public int Receive(IDatagramReceiver receiver, byte[] input, int batchSize)
    {
        var count = 0;
        for (; count < batchSize; count++)
        {
            _counters.OnSystemCall();
            if (!Socket.Poll(0, SelectMode.SelectRead)) { break; }
            _counters.OnSystemCall();
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
                _counters.OnOversized();
                return;
            }
            // A socket that is not bound to its group also receives datagrams to addresses that no other socket is bound to.
            if (packet.Address is not { } destination || !destination.IsMulticast()) { return; }
            _counters.OnReceived();
            receiver.OnGroupDatagram(new ChannelKey(PeerIdentity.From((IPEndPoint)peer), _answering), input.AsSpan(0, length));
        }
        catch (SocketException exception)
        {
            if (exception.SocketErrorCode == SocketError.MessageSize) { _counters.OnOversized(); }
        }
    }
}
