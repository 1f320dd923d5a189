using System.Net;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>A socket that receives multicast datagrams, driven by the calls that every system has.</summary>
internal sealed class PortableGroupSocket : PortableSocket
{
    private readonly PeerIdentity _answering;
    private readonly EndPoint _any;

    /// <param name="socket">The socket. It is owned from now on.</param>
    /// <param name="answeringPort">The port that answers are sent from, by another socket.</param>
    /// <param name="counters">The counters of the transport.</param>
    public PortableGroupSocket(Socket socket, ushort answeringPort, TransportCounters counters)
        : base(socket, counters, isGroup: true)
    {
        _answering = PeerIdentity.FromIPv4(0, answeringPort);
        _any = new IPEndPoint(socket.AddressFamily == AddressFamily.InterNetwork ? IPAddress.Any : IPAddress.IPv6Any, 0);
    }

    protected override int ReceiveOne(byte[] input, out ChannelKey key)
    {
        var (peer, flags) = (_any, SocketFlags.None);
        var length = Socket.ReceiveMessageFrom(input, ref flags, ref peer, out var packet);
        key = new ChannelKey(PeerIdentity.From((IPEndPoint)peer), _answering);
        if ((flags & SocketFlags.Truncated) != 0) { return input.Length; }
        // A socket that is not bound to its group also receives datagrams to addresses that no other socket is bound to.
        return packet.Address is { } destination && destination.IsMulticast() ? length : -1;
    }
}
