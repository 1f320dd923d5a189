using System.Net;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>A UDP socket with one local address, driven by the calls that every system has.</summary>
internal sealed class PortableUdpSocket : IUdpSource
{
    private readonly TransportCounters _counters;
    private readonly PeerIdentity _local;
    private readonly SocketAddress _sender;
    private readonly SocketAddress _destination;

    /// <param name="socket">The socket. It is owned from now on.</param>
    /// <param name="counters">The counters of the transport.</param>
    public PortableUdpSocket(Socket socket, TransportCounters counters)
    {
        socket.Blocking = false;
        (Socket, _counters) = (socket, counters);
        LocalEndPoint = (IPEndPoint)socket.LocalEndPoint!;
        _local = PeerIdentity.From(LocalEndPoint);
        (_sender, _destination) = (new SocketAddress(socket.AddressFamily), new SocketAddress(socket.AddressFamily));
    }

    public Socket Socket { get; }

    public IPEndPoint LocalEndPoint { get; }

    public int Port => _local.Port;

    public bool CanReach(in PeerIdentity peer) => peer.IsIPv4 == (Socket.AddressFamily == AddressFamily.InterNetwork);

    public bool IsBoundTo(in PeerIdentity local) => local == _local;

    /// <summary>Delivers waiting datagrams, at most one batch.</summary>
    public int Receive(IDatagramReceiver receiver, byte[] input, int batchSize)
    {
        var count = 0;
        for (; count < batchSize; count++)
        {
            // The poll costs one more call, but a receive that finds nothing costs an exception.
            _counters.OnSystemCall();
            if (!Socket.Poll(0, SelectMode.SelectRead)) { break; }
            _counters.OnSystemCall();
            if (!TryReceive(input, out var length)) { continue; }
            _counters.OnReceived();
            var peer = AddressBytes.Read(_sender.Buffer.Span, Socket.AddressFamily);
            receiver.OnDatagram(new ChannelKey(peer, _local), input.AsSpan(0, length));
        }

        return count;
    }

    /// <summary>Sends a datagram. If the buffer is full, waits a little and tries once more.</summary>
    public void Send(in PeerIdentity peer, ReadOnlySpan<byte> datagram, FailedSends failed)
    {
        AddressBytes.Write(peer, _destination.Buffer.Span, _destination.Family);
        var error = TrySend(datagram);
        if (error == SocketError.WouldBlock)
        {
            _counters.OnSystemCall();
            if (Socket.Poll(UdpTransport.MaxSendWait, SelectMode.SelectWrite)) { error = TrySend(datagram); }
        }

        if (error == SocketError.Success) { return; }
        _counters.OnSendFailed(1);
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

        if (error != SocketError.Success) { _counters.OnSendFailed(1); }
        return error;
    }

    private SocketError TrySend(ReadOnlySpan<byte> datagram)
    {
        try
        {
            _counters.OnSystemCall();
            Socket.SendTo(datagram, SocketFlags.None, _destination);
            _counters.OnSent(1);
            return SocketError.Success;
        }
        catch (SocketException exception)
        {
            return exception.SocketErrorCode;
        }
    }

    private bool TryReceive(byte[] input, out int length)
    {
        length = 0;
        try
        {
            length = Socket.ReceiveFrom(input, SocketFlags.None, _sender);
            if (length < input.Length) { return true; }
            _counters.OnOversized();
        }
        catch (SocketException exception)
        {
            // Windows reports a truncated datagram as this error. Any other error belongs to a datagram that nobody can identify.
            if (exception.SocketErrorCode == SocketError.MessageSize) { _counters.OnOversized(); }
        }

        return false;
    }
}
