using System.Net;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>A UDP socket with one local address, driven by the calls that every system has.</summary>
internal sealed class PortableUdpSocket : PortableSocket, IUdpSource
{
    private readonly PeerIdentity _local;
    private readonly SocketAddress _sender;
    private readonly SocketAddress _destination;

    /// <param name="socket">The socket. It is owned from now on.</param>
    /// <param name="counters">The counters of the transport.</param>
    public PortableUdpSocket(Socket socket, TransportCounters counters)
        : base(socket, counters, isGroup: false)
    {
        LocalEndPoint = (IPEndPoint)socket.LocalEndPoint!;
        _local = PeerIdentity.From(LocalEndPoint);
        (_sender, _destination) = (new SocketAddress(socket.AddressFamily), new SocketAddress(socket.AddressFamily));
    }

    public IPEndPoint LocalEndPoint { get; }

    public int Port => _local.Port;

    public bool CanReach(in PeerIdentity peer) => peer.IsIPv4 == (Socket.AddressFamily == AddressFamily.InterNetwork);

    public bool IsBoundTo(in PeerIdentity local) => local == _local;

    /// <summary>Sends a datagram. If the buffer is full, waits a little and tries once more.</summary>
    public void Send(in PeerIdentity peer, ReadOnlySpan<byte> datagram, FailedSends failed)
    {
        AddressBytes.Write(peer, _destination.Buffer.Span, _destination.Family);
        var error = TrySend(datagram);
        if (error == SocketError.WouldBlock)
        {
            Counters[TransportCounters.SystemCalls]++;
            if (Socket.Poll(UdpTransport.MaxSendWait, SelectMode.SelectWrite)) { error = TrySend(datagram); }
        }

        if (error == SocketError.Success) { return; }
        Counters[TransportCounters.SendFailures]++;
        if (error is not (SocketError.WouldBlock or SocketError.NoBufferSpaceAvailable)) { failed.Add(new ChannelKey(peer, _local), datagram, error); }
    }

    /// <summary>Sends a datagram to a multicast group through one interface.</summary>
    public SocketError SendToGroup(in PeerIdentity group, ReadOnlySpan<byte> datagram, GroupPath path)
    {
        AddressBytes.Write(group, _destination.Buffer.Span, _destination.Family);
        SocketError error;
        try
        {
            path.Prepare(Socket, group.IsIPv4);
            error = TrySend(datagram);
        }
        catch (SocketException exception)
        {
            error = exception.SocketErrorCode;
        }

        if (error != SocketError.Success) { Counters[TransportCounters.SendFailures]++; }
        return error;
    }

    private SocketError TrySend(ReadOnlySpan<byte> datagram)
    {
        try
        {
            Counters[TransportCounters.SystemCalls]++;
            Socket.SendTo(datagram, SocketFlags.None, _destination);
            Counters[TransportCounters.DatagramsSent]++;
            return SocketError.Success;
        }
        catch (SocketException exception)
        {
            return exception.SocketErrorCode;
        }
    }

    protected override int ReceiveOne(byte[] input, out ChannelKey key)
    {
        var length = Socket.ReceiveFrom(input, SocketFlags.None, _sender);
        key = new ChannelKey(AddressBytes.Read(_sender.Buffer.Span, Socket.AddressFamily), _local);
        return length;
    }
}
